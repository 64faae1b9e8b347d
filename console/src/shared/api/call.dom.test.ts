import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useNotices } from '@/shared/lib/notices';
import { local, session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { loadMessages } from '@/testing/messages';
import { call } from './call';
import { ApiError } from './errors';
import { notifyFailure } from './notices';
import { dropFarewell, sessionEvents } from './session';
import { beginFarewell, currentToken, dropToken, keepToken } from './token';

function answer(body: unknown, status = 200) {
  const response = new Response(null, { status });
  return Promise.resolve(status < 400 ? { data: body, response } : { error: body, response });
}

function failure(request: Promise<never>): Promise<ApiError> {
  return request.then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
}

const reload = vi.fn();

beforeEach(async () => {
  reload.mockClear();
  vi.stubGlobal('location', { ...window.location, reload });
  await loadMessages('zh');
});

describe('success', () => {
  it.each([200, 20200, 501, 502, 20500])('code %i resolves to the data', async (code) => {
    expect(await call(answer({ code, message: '', data: { id: 7 } }))).toEqual({ id: 7 });
  });

  it('a file is the answer as it is', async () => {
    const file = new Blob(['rows']);
    expect(await call(answer(file))).toBe(file);
    expect((await failure(call(answer(file, 404)))).code).toBe(404);
  });
});

describe('refusal', () => {
  it('carries the message of the server and the faults of the fields', async () => {
    const fields = [{ field: 'source.host', reason: 'must not be empty' }];
    const error = await failure(
      call(
        answer(
          { code: 422, message: '请求有误', data: { error: 'request-malformed', facts: {}, fields } },
          422,
        ),
      ),
    );
    expect(error.message).toBe('请求有误');
    expect(error.fields).toEqual({ 'source.host': 'must not be empty' });
  });

  it('without an envelope says what the status means', async () => {
    expect((await failure(call(answer('<html>', 500)))).message).toBe('服务器请求异常');
    expect((await failure(call(answer('', 408)))).message).toBe('请求超时');
  });

  it('with HTTP 200 but no envelope is no success', async () => {
    expect((await failure(call(answer('<html>')))).code).toBe(200);
  });
});

it.each([
  [10000, '操作失败，请重试或联系管理员'],
  [40103, '没有访问权限'],
  [40104, '验证码已过期'],
  [40105, '验证码错误'],
  [40106, '用户名或密码错误'],
  [60100, '单个节点的主控数已达上限 128 个，不能再添加'],
  [60101, '通道名称或标识已存在'],
  [60102, '只有内容比对或严格内容比对可以修复'],
  [60999, '订阅失败（代码 60999）'],
  [61100, '请先配置数据源'],
  [61999, '发布失败（代码 61999）'],
  [62000, '请求失败（代码 62000）'],
])(
  'code %i has a text where the server gives none, and the server’s own where it does',
  async (code, text) => {
    expect((await failure(call(answer({ code, message: '' })))).message).toBe(text);
    expect((await failure(call(answer({ code, message: '服务器说' })))).message).toBe('服务器说');
  },
);

it.each([
  ['timeout', 5],
  [408, 5],
  [500, 3],
  [300, 4],
])('a notice about %s stays %i seconds', (code, seconds) => {
  useNotices.setState({ waiting: [] });
  notifyFailure(new ApiError(code as number, 'text'));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'error', text: 'text', seconds }]);
});

it.each([401, 40101, 40102, 40200])('code %i leads elsewhere and is not shown as a notice', (code) => {
  useNotices.setState({ waiting: [] });
  notifyFailure(new ApiError(code, 'text'));
  expect(useNotices.getState().waiting).toEqual([]);
});

it('faults of fields are shown in a notice where no form shows them', () => {
  useNotices.setState({ waiting: [] });
  notifyFailure(new ApiError(422, 'text', { name: 'wrong' }));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'error', text: 'text' }]);
});

describe('a lost session', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([401, 40101, 40102])('code %i forgets it and reloads', async (code) => {
    keepToken('secret');
    local.set(storeKeys.locale, 'zh');
    await failure(call(answer({ code, message: '' }, 401)));
    vi.advanceTimersByTime(0);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(currentToken()).toBeUndefined();
    expect(local.get(storeKeys.locale)).toBe('zh');
    expect(session.get(storeKeys.farewell)).toBe('登录已过期，请重新登录');
  });

  it('is expected while the viewer signs out', async () => {
    beginFarewell();
    await failure(call(answer({ code: 401, message: '' }, 401)));
    vi.advanceTimersByTime(6000);
    expect(reload).not.toHaveBeenCalled();
    keepToken('next');
  });

  it('is not the one that was opened since the call was made', async () => {
    keepToken('next');
    const request = (token: string) => new Request('http://here/', { headers: { 'ZCBUS-TOKEN': token } });
    const refusal = answer({ code: 40102, message: '' }, 401);
    await failure(call(refusal.then((answer) => ({ ...answer, request: request('before') }))));
    vi.advanceTimersByTime(6000);
    expect([reload.mock.calls.length, currentToken()]).toEqual([0, 'next']);
    await failure(call(refusal.then((answer) => ({ ...answer, request: request('next') }))));
    expect(currentToken()).toBeUndefined();
  });

  it('takes nothing away from a sign-in page that is shown before the page could be reloaded', async () => {
    session.set(storeKeys.expiredAt, Date.now());
    await failure(call(answer({ code: 401, message: '' }, 401)));
    dropFarewell();
    vi.advanceTimersByTime(6000);
    expect(reload).not.toHaveBeenCalled();
    session.remove(storeKeys.expiredAt);
  });

  it('reloads at most once in five seconds', async () => {
    await failure(call(answer({ code: 401, message: '' }, 401)));
    await failure(call(answer({ code: 401, message: '' }, 401)));
    vi.advanceTimersByTime(0);
    await failure(call(answer({ code: 401, message: '' }, 401)));
    vi.advanceTimersByTime(4900);
    expect(reload).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(reload).toHaveBeenCalledTimes(2);
  });
});

it('a demanded change of password keeps what the server gave for it', async () => {
  const demanded = vi.fn();
  sessionEvents.addEventListener('demand', demanded, { once: true });
  await failure(call(answer({ code: 40200, message: '', data: { token: 'reset' } })));
  expect(local.get(storeKeys.authInfo)).toEqual({ token: 'reset' });
  expect(demanded).toHaveBeenCalled();
});

describe('no answer', () => {
  it('is distinguished from a late one', async () => {
    const lost = await failure(call(Promise.resolve({ error: new TypeError('Failed to fetch') })));
    expect([lost.code, lost.isConnectionLost]).toEqual(['unreachable', true]);
    const late = await failure(call(Promise.resolve({ error: new DOMException('', 'TimeoutError') })));
    expect(late.message).toBe('请求超时，请检查网络或稍后再试');
  });

  it('before anything was sent is no answer either', async () => {
    const lost = await failure(call(Promise.reject(new TypeError('Failed to fetch'))));
    expect(lost.code).toBe('unreachable');
  });

  it('that the page itself withdrew stays what it is', async () => {
    const withdrawn = await failure(call(Promise.resolve({ error: new DOMException('', 'AbortError') })));
    expect(withdrawn.name).toBe('AbortError');
  });
});

it('a token is good for a day', () => {
  vi.useFakeTimers();
  keepToken('secret');
  expect(currentToken()).toBe('secret');
  expect(document.cookie).toContain('ZCBUS-TOKEN=secret');
  vi.advanceTimersByTime(24 * 60 * 60 * 1000 + 1);
  expect(currentToken()).toBeUndefined();
  vi.useRealTimers();
});

it('a token that is dropped leaves neither storage nor cookie', () => {
  keepToken('secret');
  dropToken();
  expect(localStorage.getItem('ZCBUS-TOKEN')).toBeNull();
  expect(document.cookie).not.toContain('ZCBUS-TOKEN');
});
