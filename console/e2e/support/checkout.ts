import { resolve } from 'node:path';

/** The root of the checkout, and the Python that its environment holds. */
export const checkout = resolve(import.meta.dirname, '..', '..', '..');
export const python = resolve(checkout, '.venv', 'bin', 'python');
