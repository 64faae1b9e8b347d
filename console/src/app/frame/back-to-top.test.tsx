import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { BackToTop, useScrolledFar } from './back-to-top';

function Area() {
  const { scrolled, onScroll } = useScrolledFar();
  return (
    <div data-testid="area" onScrollCapture={onScroll}>
      <BackToTop scrolled={scrolled} />
    </div>
  );
}

it('the way back to the top is offered after 100 pixels', async () => {
  await renderInFrame(<Area />);
  const area = await screen.findByTestId('area');
  const scrollTo = (top: number) => fireEvent.scroll(area, { target: { scrollTop: top } });
  scrollTo(100);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  scrollTo(101);
  expect(screen.getByRole('button')).toBeInTheDocument();
  scrollTo(0);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
