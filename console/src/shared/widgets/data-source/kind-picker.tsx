import { CheckCircleFilled } from '@ant-design/icons';
import { Menu } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '@/shared/ui/tip';
import type { Kind } from './kind';
import './kind-picker.css';

const ALL = 'all';

interface Props {
  kinds: readonly Kind[];
  chosen: string | undefined;
  onChoose: (kind: Kind) => void;
}

/** Groups at the left ("all" first), the group's types as cards in three columns. */
export function KindPicker({ kinds, chosen, onChoose }: Props) {
  const { t } = useTranslation('data-source');
  const [group, setGroup] = useState(ALL);
  const groups = useMemo(() => [...new Map(kinds.map((kind) => [kind.group, kind.groupLabel]))], [kinds]);
  const shown = kinds.filter((kind) => group === ALL || kind.group === group);
  return (
    <div className="kind-picker">
      <Menu
        className="kind-groups"
        aria-label={t('kind.groups')}
        selectedKeys={[group]}
        onSelect={({ key }) => setGroup(key)}
        items={[{ key: ALL, label: t('kind.all') }, ...groups.map(([key, label]) => ({ key, label }))]}
      />
      <ul className="kind-cards" aria-label={t('kind.types')}>
        {shown.map((kind) => (
          <li key={kind.moduletype}>
            <KindCard kind={kind} isChosen={kind.moduletype === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CardProps {
  kind: Kind;
  isChosen: boolean;
  onChoose: (kind: Kind) => void;
}

function KindCard({ kind, isChosen, onChoose }: CardProps) {
  const { t } = useTranslation('data-source');
  const isOffered = kind.valid === 1;
  return (
    <Tip title={isOffered ? undefined : t('kind.notSupported')} whenPressed={!isOffered}>
      <button
        type="button"
        className="kind-card"
        aria-pressed={isChosen}
        // Not `disabled`: the reason must be reachable by keyboard.
        aria-disabled={!isOffered}
        onClick={() => onChoose(kind)}
      >
        <img className="kind-picture" src={kind.pngpath} alt="" width={32} height={32} />
        <span className="kind-name">
          {kind.label}
          {kind.repeats && <span className="kind-note">{t('kind.repeats')}</span>}
          <span className="kind-note" data-maturity={kind.maturity}>
            {t(`kind.maturity.${kind.maturity}`, { servers: kind.tested })}
          </span>
        </span>
        {isChosen && <CheckCircleFilled className="kind-tick" aria-hidden />}
      </button>
    </Tip>
  );
}
