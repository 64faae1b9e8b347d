export { follow } from './follow';
export { CallProgressHost } from './host';
