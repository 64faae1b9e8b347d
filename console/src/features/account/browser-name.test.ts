import { expect, it } from 'vitest';
import { browserName } from './browser-name';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, 'Chrome (Linux)'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/126.0`, 'Edge (Windows)'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1', 'Safari (iOS)'],
  ['python-httpx/0.27', 'python-httpx/0.27'],
])('%j is %s', (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
