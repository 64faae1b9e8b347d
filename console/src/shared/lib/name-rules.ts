const UNSEEN = /\p{C}/u;

/** Whether a name reads the same everywhere: no blanks around it, nothing that cannot be seen. The server asks the same. */
export function isPlainName(name: string): boolean {
  return name === name.trim() && !UNSEEN.test(name);
}
