import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, captchaCheckSlide } from '@/shared/api';
import { Puzzle } from './puzzle';
import { useIsOver, useSlidePuzzle } from './queries';
import './slide-verify.css';

interface Props {
  /** The piece is in its place: the ticket that proves it, good once. */
  onSolved: (ticket: string) => void;
  onCancel: () => void;
}

/** The slide puzzle in a dialog of plain HTML: the sign-in page shows it before the kit is loaded. */
export default function SlideVerify({ onSolved, onCancel }: Props) {
  const { t } = useTranslation(['slide-verify', 'common']);
  const dialog = useRef<HTMLDialogElement>(null);
  const { puzzle, failure, renew } = useSlidePuzzle();
  const [x, setX] = useState(0);
  const [isChecking, setChecking] = useState(false);
  const [fault, setFault] = useState<string>();
  const isOver = useIsOver(isChecking ? undefined : puzzle?.uuid);

  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);

  useEffect(() => {
    if (!isOver) return;
    setX(0);
    setFault(t('slide-verify:expired'));
    void renew();
  }, [isOver, renew, t]);

  async function check(uuid: string, place: number): Promise<void> {
    setChecking(true);
    try {
      onSolved(await call(captchaCheckSlide({ body: { uuid, x: place } })));
    } catch (error) {
      setFault((error as Error).message);
      setX(0);
      await renew();
      setChecking(false);
    }
  }

  return (
    <dialog
      ref={dialog}
      className="slide-verify"
      aria-labelledby="slide-verify-title"
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <header>
        <h2 id="slide-verify-title">{t('common:tips')}</h2>
        <button type="button" aria-label={t('common:action.close')} onClick={onCancel}>
          ×
        </button>
      </header>
      <Puzzle
        puzzle={puzzle}
        x={x}
        isChecking={isChecking}
        onMove={setX}
        onDrop={(place) => puzzle && void check(puzzle.uuid, place)}
      />
      <footer>
        <p role="alert">{failure?.message ?? fault}</p>
        <button
          type="button"
          disabled={isChecking}
          onClick={() => {
            setX(0);
            setFault(undefined);
            void renew();
          }}
        >
          {t('slide-verify:another')}
        </button>
      </footer>
    </dialog>
  );
}
