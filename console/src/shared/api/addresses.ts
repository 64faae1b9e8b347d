/** The address of a socket of this platform. */
export function socketAddress(path: string): string {
  const address = new URL(path, window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}
