// The one door to the server: pages import from here, and call as `call(syncLinkList({ body, signal }))`.
export { audited } from './audit-headers';
export { call, type Envelope } from './call';
export { ApiError } from './errors';
export * from './gen';
