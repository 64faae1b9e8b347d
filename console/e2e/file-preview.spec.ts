import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

const words = {
  zh: { empty: '尚未选择文件', city: '城市', sheet: '工作表' },
  en: { empty: 'No file chosen', city: 'City', sheet: 'Sheet' },
} as const;

/** One white point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

/** Row 7, Oslo of the columns id, city. */
const PARQUET = Buffer.from(
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEHAAAAAAAAABUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEEAAAAT3NsbxUE' +
    'GTw1ABgGc2NoZW1hFQQAFQQlAhgCaWQAFQwlAhgEY2l0eSUATBwAAAAWAhkcGSwmABwVBBklBgAZGAJpZBUAFgIWQhZCJghJ' +
    'HBUAFQAVAgA8KQYZJgACAAAAJgAcFQwZJQYAGRgEY2l0eRUAFgIWQhZCJkpJHBUAFQAVAgA8FggZBhkmAAIAAAAWhAEWAiYI' +
    'FoQBACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZLBwAABwAAADBAAAAUEFSMQ==',
  'base64',
);

/** Sheet A with the cells id, at; 7, 2026-05-06; 2.5. */
const ODS = Buffer.from(
  'UEsDBBQAAAAIAAl5fF2FbDmKLAAAAC4AAAAIAAAAbWltZXR5cGUFwYEJACAIBMCNbCbRh4RSSWv+7jhzmXBb+HiuFFxWFAnX' +
    'kLvhTZUHrDWB/lBLAwQUAAAACAAJeXxdTedygBEBAADxAwAACwAAAGNvbnRlbnQueG1sxVPLToQwFP0V0n2niIExDTBx4xfo' +
    'B3Tai5KUltCLzvy95SEPM05QF7Mp93XuOYe06eFU6eAdGldak5G7XUgCMNKq0rxm5OX5iT6QQ57aoiglcGVlW4FBKq1B/w08' +
    '2Dg+dDPSNoZb4UrHjajAcZTc1mC+UHw5zXuqoYLiqDfD++EVGk64GexnB+yoYuH8nkw+j1adp8TVDQjl3gAwTwf2/gyGuKPL' +
    'yCNZ9WhjP9YFCVpPpEK3QPFce6DDxv/qDt1Jq/NSpWwMffBtwd9WCry6kl3VvdlIoa1AsupkZD+r2P/blxIIE0GX0JElCqOE' +
    'hjENk5kuYfHNXEe7eBbik185Z5e0LSs+u3Qz2erush9ebP4JUEsDBBQAAAAIAAl5fF1BIxJdggAAAN0AAAAVAAAATUVUQS1J' +
    'TkYvbWFuaWZlc3QueG1sZY/BCsMwDEN/peTeZLuaJP9iGpcGEifU7lj/fmWwdmM3STyQ5CtynkkUPmJ41sJy2mC2laGhZAHG' +
    'SgI6QevEqU1bJVb45eFubyb608650Hhg6z5c2VbK2FGXYJy54kop46h7p2Cw95In1NzYPTjZ9wD73Wulr4RJFiI1Lnr39yS+' +
    'AFBLAQIUAxQAAAAIAAl5fF2FbDmKLAAAAC4AAAAIAAAAAAAAAAAAAACAAQAAAABtaW1ldHlwZVBLAQIUAxQAAAAIAAl5fF1N' +
    '53KAEQEAAPEDAAALAAAAAAAAAAAAAACAAVIAAABjb250ZW50LnhtbFBLAQIUAxQAAAAIAAl5fF1BIxJdggAAAN0AAAAVAAAA' +
    'AAAAAAAAAACAAYwBAABNRVRBLUlORi9tYW5pZmVzdC54bWxQSwUGAAAAAAMAAwCyAAAAQQIAAAAA',
  'base64',
);

for (const language of ['zh', 'en'] as const) {
  test(`a file of the viewer's own is shown as what it is, ${language}`, { tag: '@wide' }, async ({
    page,
    platform,
  }) => {
    const word = words[language];
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    await useLanguage(page, language);
    await signIn(page, platform, '/file-preview');
    await expect(page.getByText(word.empty)).toBeVisible();
    await expectAccessible(page);
    const file = page.locator('input[type=file]');
    const choose = (name: string, mimeType: string, content: string | Buffer) =>
      file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await choose('cities.csv', 'text/csv', `${word.city},n\nOslo,7\n`);
    await expect(page.getByRole('columnheader', { name: word.city })).toBeVisible();
    await expectAccessible(page);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/file-preview-${language}.png` });
    await choose('point.txt', 'text/plain', PNG);
    await expect(page.getByRole('img', { name: 'point.txt' })).toHaveJSProperty('naturalWidth', 1);
    await choose('cities.parquet', '', PARQUET);
    await expect(page.getByRole('columnheader', { name: 'city text' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Oslo' })).toBeVisible();
    await choose('days.ods', '', ODS);
    await expect(page.getByRole('cell', { name: '2026-05-06' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: word.sheet })).toBeVisible();
    await expectAccessible(page);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/file-preview-sheet-${language}.png` });
    await choose('broken.xlsx', '', 'PK\u0003\u0004');
    await expect(page.getByRole('alert').getByText('no workbook')).toBeVisible();
    await choose('paper.pdf', 'text/html', '%PDF-1.4\n<script>document.title = "run"</script>');
    await expect(page.locator('iframe[title="paper.pdf"]')).toBeVisible();
    await choose('page.pdf', 'text/html', '<script>document.title = "run"</script>');
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(page).not.toHaveTitle('run');
    expect(refused).toEqual([]);
  });
}
