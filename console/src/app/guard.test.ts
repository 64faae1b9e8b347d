import { describe, expect, it } from 'vitest';
import { ownPath } from '@/shared/pages/paths';
import { redirection } from './guard';

describe('without a session', () => {
  it('any page leads to signing in, and remembers the full target', () => {
    expect(redirection('/sync-link', '/sync-link?state=error#a', false)).toBe(
      '/login?redirect=%2Fsync-link%3Fstate%3Derror%23a',
    );
  });

  it.each([
    '/login',
    '/reset-password',
    '/thirdpart-sign-in',
    '/servicepart-sign-in',
    '/saml-sign-in',
    '/download-page',
  ])('%s is open', (path) => {
    expect(redirection(path, path, false)).toBeUndefined();
  });
});

describe('with a session', () => {
  it('signing in leads on', () => expect(redirection('/login', '/login', true)).toBe('/'));
  it('the root leads to the home page', () => expect(redirection('/', '/', true)).toBe('/home'));
  it.each([
    ['/system', '/system/message-management'],
    ['/policy', '/policy/define'],
    ['/resource', '/resource/search'],
    ['/authority-management', '/authority-management/menu-management'],
  ])('%s leads to %s', (path, target) => expect(redirection(path, path, true)).toBe(target));
  it.each(['/', '/home'])('%s leads a remote client to the index page', (path) =>
    expect(redirection(path, path, true, '/index')).toBe('/index'),
  );
  it('the home page of a remote client stays', () =>
    expect(redirection('/index', '/index', true, '/index')).toBeUndefined());
  it('pages stay', () => expect(redirection('/sync-task', '/sync-task', true)).toBeUndefined());
});

it.each([
  ['/sync-link?x=1', '/sync-link?x=1'],
  [null, '/'],
  ['https://elsewhere.example', '/'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
])('after signing in, %j leads to %j', (redirect, path) => {
  expect(ownPath(redirect)).toBe(path);
});
