import { expect, it } from 'vitest';
import { paths } from './paths';

it('the configuration of a database is reached with its list of databases and whether it is distributed', () => {
  const [pathname, query] = paths.databaseConfig('publish', 'mysql').split('?');
  expect(pathname).toBe('/subscribe/database-config/publish');
  const parameters = new URLSearchParams(query);
  expect(JSON.parse(parameters.get('databaselist') ?? '')).toEqual([{ moduletype: 'mysql' }]);
  expect(parameters.get('ifDistributed')).toBe('false');
});
