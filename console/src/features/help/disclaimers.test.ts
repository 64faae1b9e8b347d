import { expect, it } from 'vitest';
import { loadDisclaimers } from './disclaimers';

it('there are disclaimers in both languages', async () => {
  for (const locale of ['zh', 'en'] as const)
    expect((await loadDisclaimers(locale)).match(/^# /gm)).toHaveLength(1);
});
