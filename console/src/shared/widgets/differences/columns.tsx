import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DifferencePage, DifferenceRecord } from '@/shared/api';
import type { Column } from '@/shared/ui/data-table';

type Row = DifferenceRecord;
type Page = Pick<DifferencePage, 'columns' | 'key'>;

const KIND_WIDTH = 150;
const VALUE_WIDTH = 200;

/** The key, then every column with both sides in one cell; what differs is marked. */
export function useDifferenceColumns(page: Page | undefined): Column<Row>[] {
  const { t } = useTranslation('differences');
  // Other rows of the same table have the same columns.
  const names = page?.columns.join('\n') ?? '';
  const keys = page?.key.join('\n') ?? '';
  return useMemo(() => {
    const key = keys === '' ? [] : keys.split('\n');
    const others = names === '' ? [] : names.split('\n');
    return [
      {
        key: 'kind',
        title: t('kind'),
        width: KIND_WIDTH,
        fixed: 'left',
        essential: true,
        text: ({ kind }: Row) => t(`kinds.${kind}`),
        render: ({ kind }: Row) => t(`kinds.${kind}`),
      },
      ...key.map(
        (name, place): Column<Row> => ({
          key: `key.${name}`,
          of: ['key'],
          title: name,
          width: VALUE_WIDTH,
          fixed: 'left',
          type: 'text',
          text: (row) => row.key[place],
        }),
      ),
      ...others.flatMap((name, place): Column<Row>[] =>
        key.includes(name)
          ? []
          : [
              {
                key: `column.${name}`,
                of: ['source', 'target', 'differing'],
                title: name,
                minWidth: VALUE_WIDTH,
                render: (row) => (
                  <Both
                    source={row.source && (row.source[place] ?? null)}
                    target={row.target && (row.target[place] ?? null)}
                    isDifferent={row.differing.includes(name)}
                    hasSource={row.source !== null}
                    hasTarget={row.target !== null}
                  />
                ),
              },
            ],
      ),
    ];
  }, [names, keys, t]);
}

interface BothProps {
  source: string | null;
  target: string | null;
  hasSource: boolean;
  hasTarget: boolean;
  isDifferent: boolean;
}

function Both({ source, target, hasSource, hasTarget, isDifferent }: BothProps) {
  const { t } = useTranslation('differences');
  return (
    <dl className="difference" data-differs={isDifferent || undefined}>
      <dt>{t('source')}</dt>
      <dd>{hasSource ? <Value value={source} /> : t('absent')}</dd>
      <dt>{t('target')}</dt>
      <dd>{hasTarget ? <Value value={target} /> : t('absent')}</dd>
    </dl>
  );
}

function Value({ value }: { value: string | null }) {
  return value === null ? <em>NULL</em> : <span title={value}>{value}</span>;
}
