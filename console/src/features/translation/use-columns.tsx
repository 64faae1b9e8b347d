import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { audited, call, type TextRecord, translationReset } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, MOMENT_WIDTH, type RowAction } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { TRANSLATION } from './queries';

type Mark = TextRecord['marks'][number] | 'custom' | 'shipped';

const looks: Record<Mark, Look> = {
  shipped: 'quiet',
  custom: 'good',
  'one-language': 'warning',
  outdated: 'warning',
  unused: 'bad',
};

/** The gravest of what is to be said of a text. */
function markOf({ marks, updatedAt }: TextRecord): Mark {
  const gravest = (['unused', 'outdated', 'one-language'] as const).find((mark) => marks.includes(mark));
  return gravest ?? (updatedAt ? 'custom' : 'shipped');
}

export function useColumns(
  edit: (text: TextRecord) => void,
  onChanged: () => Promise<unknown>,
): Column<TextRecord>[] {
  const { t } = useTranslation('translation');
  const actions = useActions(edit, onChanged);
  return useMemo(() => {
    const read = (
      title: string,
      text: (row: TextRecord) => string,
    ): Pick<
      Column<TextRecord> & { type: 'text' },
      'type' | 'title' | 'minWidth' | 'length' | 'text' | 'essential'
    > => ({ type: 'text', title, minWidth: 200, length: 60, essential: true, text });
    return [
      { key: 'key', type: 'text', title: t('key'), minWidth: 200, length: 60, text: ({ key }) => key },
      { key: 'zh', of: ['zh', 'customZh'], ...read(t('zh'), (row) => row.customZh ?? row.zh ?? '—') },
      { key: 'en', of: ['en', 'customEn'], ...read(t('en'), (row) => row.customEn ?? row.en ?? '—') },
      {
        key: 'marks',
        title: t('state'),
        width: 190,
        text: (row) => t(`marks.${markOf(row)}`),
        render: (row) => <LookMark look={looks[markOf(row)]} label={t(`marks.${markOf(row)}`)} />,
      },
      {
        key: 'updatedBy',
        type: 'text',
        title: t('updatedBy'),
        width: 120,
        leaveOut: true,
        text: ({ updatedBy }) => updatedBy ?? '',
      },
      {
        key: 'updatedAt',
        title: t('updatedAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ updatedAt }) => updatedAt ?? '',
        render: ({ updatedAt }) => (updatedAt ? <Moment at={updatedAt} /> : '–'),
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 160,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions,
      },
    ];
  }, [t, actions]);
}

function useActions(
  edit: (text: TextRecord) => void,
  onChanged: () => Promise<unknown>,
): (row: TextRecord) => RowAction[] {
  const { t } = useTranslation('translation');
  const mayEdit = useMay(TRANSLATION)('edit');
  const reset = (row: TextRecord) =>
    confirmDelete({
      title: t('resetTitle', { key: row.key }),
      content: t(row.marks.includes('unused') ? 'resetUnusedHint' : 'resetHint', {
        zh: row.zh ?? '—',
        en: row.en ?? '—',
      }),
      action: t('reset'),
      dependants: null,
      mode: 'get',
      run: async () => {
        await call(translationReset({ body: { key: row.key }, ...audited(row) })).catch(
          reportFailure('modify'),
        );
        notify('success', t('resetOne', { key: row.key }));
        await onChanged();
      },
    });
  return (row) => {
    if (!mayEdit) return [];
    const isGone = row.zh === null && row.en === null;
    return [
      ...(isGone ? [] : [{ key: 'edit', label: t('edit'), run: () => edit(row) }]),
      ...(row.updatedAt ? [{ key: 'reset', label: t('reset'), danger: true, run: () => reset(row) }] : []),
    ];
  };
}
