import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  ApiError,
  call,
  type UploadRecord,
  uploadCancel,
  uploadFinish,
  uploadGetState,
  uploadPart,
} from '@/shared/api';

/** The reason of an abort that ends the upload for good. */
export const CALLED_OFF = 'called-off';

interface Options {
  /** How many bytes are there. */
  onProgress: (received: number) => void;
  /** Aborted: nothing more is sent; with the reason CALLED_OFF the platform forgets the upload. */
  signal: AbortSignal;
}

/** Milliseconds between attempts while the platform cannot be reached. */
const PAUSES = [500, 1000, 2000, 4000, 8000];
/** What the platform says where a part was not the next one, or changed on the way. */
const CONTINUED = ['upload-offset', 'upload-part-broken', 'upload-busy'];

/**
 * Sends the parts of a file from where its upload is, and has it checked. A connection that breaks costs a part at most.
 * Throws ApiError, and what an aborted call throws.
 */
export async function sendFile(file: Blob, begun: UploadRecord, options: Options): Promise<UploadRecord> {
  const { signal, onProgress } = options;
  let { received } = begun;
  let failures = 0;
  try {
    while (received < file.size) {
      onProgress(received);
      try {
        received = await sendPart(file, begun, received, signal);
        failures = 0;
      } catch (error) {
        received = await continued(error, begun.id, failures++, signal);
      }
    }
    onProgress(received);
    return await call(uploadFinish({ body: { id: begun.id }, signal }));
  } catch (error) {
    if (signal.reason === CALLED_OFF)
      await call(uploadCancel({ body: { id: begun.id } })).catch(() => undefined);
    throw error;
  }
}

async function sendPart(
  file: Blob,
  { id, partBytes = 1 << 22 }: UploadRecord,
  offset: number,
  signal: AbortSignal,
) {
  const part = await file.slice(offset, offset + partBytes).arrayBuffer();
  const digest = bytesToHex(sha256(new Uint8Array(part)));
  // The generator knows no bytes: they are sent as they are.
  const body = new Blob([part]) as unknown as string;
  const { received } = await call(uploadPart({ body, query: { id, offset, sha256: digest }, signal }));
  return received;
}

/** Where to continue after a failure that passes; throws every other. */
async function continued(error: unknown, id: string, failures: number, signal: AbortSignal): Promise<number> {
  const pause = PAUSES[failures];
  if (signal.aborted || pause === undefined || !(error instanceof ApiError) || !passes(error)) throw error;
  await new Promise((resolve) => setTimeout(resolve, pause));
  return (await call(uploadGetState({ body: { id }, signal }))).received;
}

function passes({ code, data }: ApiError): boolean {
  const reason = (data as { error?: string } | undefined)?.error ?? '';
  return code === 'unreachable' || code === 'timeout' || CONTINUED.includes(reason);
}
