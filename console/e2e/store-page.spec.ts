import { expect, expectAccessible, signIn, test } from './support/fixtures';

test('figures of the store are on a page of their own, for a viewer who has signed in to the console', {
  tag: '@wide',
}, async ({ page, platform }) => {
  await page.goto(`${platform.url}/druid/index.html`);
  await expect(page.getByRole('status')).toContainText(/sign|log/i);
  await signIn(page, platform);
  await page.goto(`${platform.url}/druid/index.html`);
  await expect(page.getByRole('status')).toContainText(/connections in use/);
  await expect(
    page
      .getByRole('table', { name: 'Statements' })
      .getByText(/SELECT /)
      .first(),
  ).toBeVisible();
  await expectAccessible(page);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/store-page.png` });
});
