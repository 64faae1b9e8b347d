import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { signInMethods } from '@/shared/api/sign-in-methods';

const SlideVerify = lazy(() => import('@/shared/widgets/slide-verify/slide-verify'));

type Answer = (ticket: string | undefined) => void;

/**
 * Shows the slide puzzle where the platform wants it. `ticket` resolves to the proof for the login, empty where none is
 * wanted, or to undefined when the viewer cancels.
 */
export function useSlideGate() {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<Answer>();

  async function ticket(): Promise<string | undefined> {
    const { slide } = await client.fetchQuery(signInMethods);
    return slide ? new Promise((resolve) => setAnswer(() => resolve)) : '';
  }

  function close(given: string | undefined): void {
    setAnswer(undefined);
    answer?.(given);
  }

  const dialog = answer && (
    <Suspense fallback={null}>
      <SlideVerify onSolved={close} onCancel={() => close(undefined)} />
    </Suspense>
  );
  return { ticket, dialog };
}
