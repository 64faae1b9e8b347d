/** Where the platform's system info sends calls, and where it has sockets opened; empty: where the console came from. */
export interface SystemAddresses {
  serviceUrl?: string;
  websocketUrl?: string;
}

let addresses: SystemAddresses = {};

/** Calls and sockets go to these addresses from now on. */
export function setAddresses(stated: SystemAddresses): void {
  addresses = stated;
}

/** The address of one call of the platform, which a client has made for the console's own origin. */
export function serviceAddress(url: string): string {
  const { origin, href } = new URL(url, window.location.href);
  if (!addresses.serviceUrl || origin !== window.location.origin) return href;
  return new URL(href.slice(origin.length), addresses.serviceUrl).href;
}

/** The address of a socket of this platform. */
export function socketAddress(path: string): string {
  const address = new URL(path, addresses.websocketUrl || window.location.href);
  if (!addresses.websocketUrl) address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}
