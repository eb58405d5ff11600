/** A part of a browser's storage under names of its own. */

/** @param {Storage | null} storage @param {string} prefix @returns {Storage | null} */
export function scoped(storage, prefix) {
  if (storage === null) return null;
  return {
    length: 0,
    key: () => null,
    clear: () => undefined,
    getItem: (key) => storage.getItem(prefix + key),
    setItem: (key, value) => storage.setItem(prefix + key, value),
    removeItem: (key) => storage.removeItem(prefix + key),
  };
}
