export { DeleteConfirmHost } from './host';
export { confirmDelete, type DeleteProof, type DeleteRequest } from './requests';
