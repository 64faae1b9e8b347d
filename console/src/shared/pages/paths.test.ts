import { expect, it } from 'vitest';
import { paths, wayOf } from './paths';

it('a portal that writes null or undefined for nothing names no way back', () => {
  const named = new URLSearchParams('redirect=undefined&sourceUrl=null');
  expect(wayOf(named)).toEqual({ redirect: null, sourceUrl: null });
  const said = new URLSearchParams('redirect=/sync-link&sourceUrl=https://portal.example/');
  expect(wayOf(said)).toEqual({ redirect: '/sync-link', sourceUrl: 'https://portal.example/' });
});

it('the configuration of a database is reached with its list of databases and whether it is distributed', () => {
  const [pathname, query] = paths.databaseConfig('publish', 'mysql').split('?');
  expect(pathname).toBe('/subscribe/database-config/publish');
  const parameters = new URLSearchParams(query);
  expect(JSON.parse(parameters.get('databaselist') ?? '')).toEqual([{ moduletype: 'mysql' }]);
  expect(parameters.get('ifDistributed')).toBe('false');
});
