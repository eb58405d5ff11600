/** Stands in for the browser: a clock that moves when told, and sockets that are plain objects. */

/** A world whose time only moves when told, and whose sockets are plain objects. */
export class FakeWorld {
  time = 0;
  timers = [];
  sockets = [];
  idPrefix = "page";
  chance = 1;
  now = () => this.time;
  random = () => this.chance;
  later = (run, ms) => {
    const timer = { run, at: this.time + ms };
    this.timers.push(timer);
    return timer;
  };
  never = (timer) => {
    this.timers = this.timers.filter((other) => other !== timer);
  };
  socket = (url, protocol) => {
    const socket = { url, protocol, readyState: 0, sent: [], closed: false };
    socket.send = (text) => socket.sent.push(JSON.parse(text));
    socket.close = () => {
      socket.closed = true;
      socket.readyState = 3;
    };
    this.sockets.push(socket);
    return socket;
  };

  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = next.at;
      this.never(next);
      next.run();
    }
    this.time = end;
  }
}
