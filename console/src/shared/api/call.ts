import i18n from 'i18next';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { tableText } from './catalogue';
import { ApiError, code, sessionLostCodes, successCodes } from './errors';
import { TOKEN_HEADER } from './headers';
import { forgetPlatformKey } from './secret-calls';
import { clearSession, expireSession, sessionEvents } from './session';
import { endLimit } from './time-limit';
import { currentToken } from './token';

/** The platform changed the key that bodies are encrypted for. */
const KEY_UNKNOWN = 'body-key-unknown';

/** What every business answer looks like on the wire. */
export interface Envelope<Data> {
  code: number;
  message: string;
  data?: Data;
}

/** What a function of the generated client resolves to. */
interface Answer<Body> {
  data?: Body;
  error?: unknown;
  request?: Request;
  response?: Response;
}

type DataOf<Body> = Body extends Blob
  ? Blob
  : Body extends { data?: infer Data }
    ? Exclude<Data, undefined>
    : never;

/**
 * The one door to the server: `const page = await call(listLinks({ body, signal }))`.
 * Resolves to the envelope's data, or to a file; every other outcome is thrown as ApiError. A lost session and a demanded
 * change of password are acted on here, once for all pages.
 */
export async function call<Body>(request: Promise<Answer<Body>>): Promise<DataOf<Body>> {
  const answer = await request.catch((error: unknown): Answer<Body> => ({ error }));
  if (answer.request) endLimit(answer.request);
  const body = (answer.data ?? answer.error) as Partial<Envelope<unknown>> | Blob | Error | undefined;
  if (!answer.response || body instanceof Error) throw noAnswer(body);
  const status = answer.response.status;
  if (answer.response.ok && body instanceof Blob) return body as DataOf<Body>;
  const envelope = isEnvelope(body) ? body : undefined;
  const outcome = envelope?.code ?? status;
  if (answer.response.ok && envelope && successCodes.includes(outcome)) return envelope.data as DataOf<Body>;
  if (sessionLostCodes.includes(outcome)) throw sessionLost(outcome, answer.request);
  throw refused(outcome, envelope?.message, envelope?.data);
}

function isEnvelope(body: unknown): body is Envelope<unknown> {
  return typeof (body as Partial<Envelope<unknown>> | undefined)?.code === 'number';
}

/** Only the session that was refused is over: an answer that comes late must not end the one that was opened since. */
function sessionLost(outcome: number, request: Request | undefined): ApiError {
  const refusedToken = request?.headers.get(TOKEN_HEADER) ?? undefined;
  const isAnother =
    refusedToken !== undefined && currentToken() !== undefined && refusedToken !== currentToken();
  if (!isAnother) expireSession(i18n.t('failure.sessionExpired'));
  return new ApiError(outcome, i18n.t('failure.sessionExpired'));
}

function noAnswer(cause: unknown): Error {
  // A call that its own page withdrew is no failure; the query library knows it by this name.
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause;
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return isLate
    ? new ApiError('timeout', i18n.t('failure.timeout'))
    : new ApiError('unreachable', i18n.t('failure.unreachable'));
}

function refused(outcome: number, message: string | undefined, data: unknown): ApiError {
  if (outcome === code.passwordChangeDemanded) demandNewPassword(data);
  if ((data as { error?: string } | null | undefined)?.error === KEY_UNKNOWN) forgetPlatformKey();
  return new ApiError(outcome, message || tableText(outcome), fieldErrors(data), data);
}

function demandNewPassword(authInfo: unknown): void {
  clearSession();
  local.set(storeKeys.authInfo, authInfo);
  sessionEvents.dispatchEvent(new Event('demand'));
}

/** The server names wrong fields as `data.fields = [{field, reason}]`. */
function fieldErrors(data: unknown): Record<string, string> {
  const fields = (data as { fields?: unknown } | undefined | null)?.fields;
  if (!Array.isArray(fields)) return {};
  const faults = fields as readonly { field: string; reason: string }[];
  return Object.fromEntries(faults.map(({ field, reason }) => [field, reason]));
}
