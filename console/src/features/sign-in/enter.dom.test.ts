import { expect, it, vi } from 'vitest';
import type { LoginAnswer } from '@/shared/api';
import { currentToken } from '@/shared/api/token';
import { enter } from './enter';

it('keeps the session, the viewer and the tenants', () => {
  const answer = { token: 't', user: { userName: 'olga' }, customerList: [] } as unknown as LoginAnswer;
  expect(enter(answer)).toBe(true);
  expect(currentToken()).toBe('t');
  expect(localStorage.getItem('ZCBUS-USER')).toContain('olga');
});

it('remembers where signing out leads and whether it is offered, until the next sign-in', () => {
  enter({ token: 't', sourceUrl: 'https://portal.example/', loginFree: true });
  expect(localStorage.getItem('ZCBUS-SOURCE-URL')).toContain('https://portal.example/');
  expect(localStorage.getItem('ZCBUS-LOGIN-FREE')).toBe('true');
  enter({ token: 't', loginFree: false });
  expect(localStorage.getItem('ZCBUS-SOURCE-URL')).toBeNull();
  expect(localStorage.getItem('ZCBUS-LOGIN-FREE')).toBeNull();
});

it('keeps the device over sign-ins that bring none', () => {
  enter({ token: 't', device: 'd' });
  enter({ token: 't' });
  expect(localStorage.getItem('ZCBUS-DEVICE')).toBe('"d"');
});

it('keeps nothing when the viewer’s console is elsewhere, and leaves for it', () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  expect(enter({ frontAddress: 'https://north.example/zcbus/' })).toBe(false);
  expect(assign).toHaveBeenCalledWith('https://north.example/zcbus/');
  expect(currentToken()).toBeUndefined();
  expect(localStorage.getItem('ZCBUS-USER')).toBeNull();
});
