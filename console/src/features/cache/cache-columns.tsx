import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CacheRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { bytes, count, duration } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import type { Column } from '@/shared/ui/data-table';
import { clearCache, useRefresh } from './queries';

/** Age of an entry, as of now. */
function age(oldestAt: string | null): string {
  return duration(oldestAt === null ? null : Date.now() - Date.parse(oldestAt));
}

export function useCacheColumns(): Column<CacheRecord>[] {
  const { t } = useTranslation('cache');
  const mayClear = useMay('system/cache-management')('operate');
  const clear = useClear();
  return useMemo(() => {
    const figure = (
      key: keyof CacheRecord & string,
      text: (row: CacheRecord) => string,
      width = 80,
    ): Column<CacheRecord> => ({ key, type: 'text', title: t(key as 'hits'), width, align: 'right', text });
    return [
      {
        key: 'title',
        type: 'text',
        title: t('name'),
        minWidth: 190,
        essential: true,
        length: 60,
        text: ({ title }) => title,
      },
      {
        key: 'scope',
        type: 'text',
        title: t('scope'),
        width: 150,
        text: ({ scope }) => t(`scopes.${scope}`),
      },
      figure('entries', ({ entries, most }) => (most ? t('ofMost', { entries, most }) : count(entries))),
      figure('sizeBytes', ({ sizeBytes }) => bytes(sizeBytes), 130),
      figure('hits', ({ hits }) => count(hits)),
      figure('misses', ({ misses }) => count(misses)),
      figure('hitShare', ({ hitShare }) => (hitShare === null ? '–' : `${Math.round(hitShare * 100)} %`)),
      figure('oldestAt', ({ oldestAt }) => age(oldestAt), 105),
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 90,
        fixed: 'right',
        essential: true,
        actions: (row) =>
          mayClear ? [{ key: 'clear', label: t('clear'), danger: true, run: () => clear(row) }] : [],
      },
    ];
  }, [t, mayClear, clear]);
}

/** Clears a cache, once the viewer has read what that leads to. */
function useClear(): (row: CacheRecord) => void {
  const { t } = useTranslation('cache');
  const ask = useConfirmDanger();
  const refresh = useRefresh();
  return (row) =>
    ask({
      title: t('clearTitle', { name: row.title }),
      content: (
        <>
          <p>{row.cleared}</p>
          <p>{t(`where.${row.scope}`)}</p>
        </>
      ),
      action: t('clear'),
      run: async () => {
        const removed = await clearCache(row).catch(reportFailure('delete'));
        notify('success', t('cleared', { name: row.title, count: removed }));
        await refresh();
      },
    });
}
