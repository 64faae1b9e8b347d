import { call, progressCancel } from '@/shared/api';
import { newKey, type ProgressHeaders } from './follow';

/**
 * Makes a call that ends on the server too when its page withdraws it, as by leaving:
 * `cancelledWith(signal, (headers) => call(logSearchFind({ body, signal, headers })))`.
 */
export async function cancelledWith<Data>(
  signal: AbortSignal,
  ask: (headers: ProgressHeaders) => Promise<Data>,
): Promise<Data> {
  const key = newKey();
  // Whether it comes in time makes no difference to a page that is gone.
  const cancel = () => void call(progressCancel({ body: { key } })).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await ask({ 'zcbus-progress': key });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
