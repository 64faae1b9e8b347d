import { useTranslation } from 'react-i18next';
import type { SlidePuzzle } from '@/shared/api';

const WIDTH = 350;
const HEIGHT = 155;
const PIECE = 50;

interface Props {
  puzzle: SlidePuzzle | undefined;
  /** How far the piece is from the left, in pixels. */
  x: number;
  isChecking: boolean;
  onMove: (x: number) => void;
  /** The piece was released, or Enter was pressed. */
  onDrop: (x: number) => void;
}

/** The picture, its piece, and what moves it: by pointer, finger or arrow keys. */
export function Puzzle({ puzzle, x, isChecking, onMove, onDrop }: Props) {
  const { t } = useTranslation('slide-verify');
  const drop = (slider: HTMLInputElement) => {
    if (slider.valueAsNumber > 0) onDrop(slider.valueAsNumber);
  };
  return (
    <>
      <div className="slide-picture">
        {puzzle && (
          <>
            <img
              src={puzzle.background}
              width={WIDTH}
              height={HEIGHT}
              alt={t('background')}
              draggable={false}
            />
            <img
              src={puzzle.piece}
              width={PIECE}
              height={PIECE}
              alt=""
              className="slide-piece"
              draggable={false}
              style={{ left: x, top: puzzle.y }}
            />
          </>
        )}
      </div>
      <div className="slide-track">
        <input
          type="range"
          min={0}
          max={WIDTH - PIECE}
          value={x}
          disabled={!puzzle || isChecking}
          aria-label={t('slideRight')}
          aria-describedby="slide-verify-hint"
          onChange={({ target }) => onMove(target.valueAsNumber)}
          onPointerUp={({ currentTarget }) => drop(currentTarget)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && drop(currentTarget)}
        />
        {x === 0 && (
          <span className="slide-text" aria-hidden>
            {t('slideRight')}
          </span>
        )}
      </div>
      <p id="slide-verify-hint" className="slide-hint">
        {t('hint')}
      </p>
    </>
  );
}
