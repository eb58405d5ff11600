"""Names and other texts that somebody might use to make a page do or show something else."""

from __future__ import annotations

from itertools import chain, islice, product

MARKUP = [
    "<script>pwned()</script>",
    "<img src=x onerror=pwned()>",
    "<svg/onload=pwned()>",
    "<svg><script>pwned()</script>",
    "<iframe src=javascript:pwned()>",
    "<a href=javascript:pwned()>x",
    "<body onload=pwned()>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//x>",
    "<meta http-equiv=refresh>",
    "<base href=//evil.example>",
    "<form action=//evil.example>",
    "<input autofocus onfocus=pwned()>",
    "<details open ontoggle=pwned()>",
    "<math><mi xlink:href=data:x>",
    "<template><img></template>",
    "</bdi><b>bold</b>",
    "</ul></section><h1>gone",
    "<!--",
    "-->",
    "<![CDATA[x]]>",
    "&lt;b&gt;",
    "&#x3c;script&#x3e;",
    "<plaintext>",
    "<marquee>",
    "<object data=x>",
    "<img src=http://evil.example/a>",
]
BREAKERS = [
    '" onmouseover="pwned()',
    "' onfocus='pwned()",
    '"><img src=x onerror=pwned()>',
    "`${pwned()}`",
    "${pwned()}",
    "{{pwned()}}",
    "{name}",
    "{count}",
    "%s%n%x",
    "\\u003cscript\\u003e",
    "\\",
    "'; DROP TABLE players;--",
    "$(reboot)",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "null",
    "undefined",
    "NaN",
    "javascript:pwned()",
    "data:text/html,<script>",
    "url(//evil.example)",
    "expression(pwned())",
    "]]>",
    "=cmd|' /C calc'!A0",
]
SHAPES = [
    "W" * 24,
    "i" * 24,
    "\u202eevil\u202c",
    "\u2066left\u2069",
    "\u200fשלום",
    "مرحبا بالعالم",
    "שלום 123",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324",
    "\u0e47" * 12 + "ก",
    "﷽﷽﷽",
    "漢字仮名交じり文の名前です",
    "😀😀😀",
    "👨\u200d👩\u200d👧\u200d👦 family",
    "a\nb\nc",
    "a\tb",
    "a\u2028b\u2029c",
    "\u00ada\u00ad",
    "\u3164",
    "a" + "\u200b" * 20,
    "ﷺ" * 8,
    "\x1b[31mred\x1b[0m",
    "\x07bell",
    "　wide　",
    "x" * 300,
    "no-break\u00a0" * 3,
    "ＦＵＬＬＷＩＤＴＨ",
    "𝕳𝖆𝖑𝖋 𝕸𝖔𝖔𝖓",
]

PAYLOADS = MARKUP + BREAKERS + SHAPES


def many(count: int) -> list[str]:
    """So many: the ones above, then pairs of them."""
    pairs = (one + other for other, one in product(SHAPES, MARKUP + BREAKERS))
    return list(islice(chain(PAYLOADS, pairs), count))
