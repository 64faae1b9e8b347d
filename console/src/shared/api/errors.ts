/** Codes of the envelope that the console acts on. The others only carry a message of the server. */
export const code = {
  success: 200,
  connectionTestSuccess: 20200,
  noAccess: 40103,
  captchaExpired: 40104,
  captchaWrong: 40105,
  credentialsWrong: 40106,
  signInOver: 40107,
  passwordChangeDemanded: 40200,
  secondFactorDemanded: 40201,
  setUpDemanded: 40202,
} as const;

export const sessionLostCodes: readonly number[] = [401, 40101, 40102];
export const successCodes: readonly number[] = [200, 20200, 501, 502, 20500];

/** `unreachable`: no answer came. `timeout`: none in time. Otherwise the server's code says what happened. */
export type FailureCode = number | 'unreachable' | 'timeout';

/** Codes of the envelope have three digits only where they are a status of HTTP; 300 alone is the platform's own. */
function isHttpFailure(code: number): boolean {
  return code >= 400 && code < 600;
}

/** A call that did not succeed. `message` is for people, in their language; `fields` names the wrong form fields. */
export class ApiError extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
    readonly data: unknown = undefined,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** No answer came, so the same call may succeed in a moment. */
  get isConnectionLost(): boolean {
    return this.code === 'unreachable' || this.code === 'timeout';
  }

  /** The server understood the call and said no, with a code of its own in an answer that arrived well. */
  get isRefusal(): boolean {
    return typeof this.code === 'number' && !isHttpFailure(this.code);
  }

  /** The viewer called the call off. */
  get isCancelled(): boolean {
    return (this.data as { error?: unknown } | null | undefined)?.error === 'call-cancelled';
  }

  get isForbidden(): boolean {
    return this.code === 403 || this.code === code.noAccess;
  }
}
