import { expect, it } from 'vitest';
import type { UserRecord } from '@/shared/api';
import { mayDeliver } from './delivering';

const user = (userType: string, clientRemote = false) => ({ userType, clientRemote }) as UserRecord;

it.each(['3', '30', '40'])(
  'users of type %s deliver messages, unless they are remote clients',
  (userType) => {
    expect(mayDeliver(user(userType))).toBe(true);
    expect(mayDeliver(user(userType, true))).toBe(false);
  },
);

it.each(['-1', '1', '2', '4'])('users of type %s deliver none', (userType) => {
  expect(mayDeliver(user(userType))).toBe(false);
});
