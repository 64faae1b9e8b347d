import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RuleRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { count, time } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { limitOf } from './figures';
import { RULES } from './queries';
import { RuleFinding, useFindingText } from './rule-finding';
import { useRuleActions } from './use-rule-actions';

export type Place = 'form' | 'subjects' | 'mute';

export function useRuleColumns(open: (at: Place, rule: RuleRecord) => void): Column<RuleRecord>[] {
  const { t } = useTranslation('alert-rule');
  const may = useMay(RULES);
  const [mayEdit, mayDelete, mayOperate] = [may('edit'), may('delete'), may('operate')];
  const findingText = useFindingText();
  const { remove, unmute } = useRuleActions();
  return useMemo(() => {
    const moment = (key: 'mutedUntil' | 'updatedAt'): Column<RuleRecord> => ({
      key,
      title: t(key),
      width: MOMENT_WIDTH,
      leaveOut: true,
      text: (row) => time(row[key]),
      render: (row) => <Moment at={row[key]} />,
    });
    return [
      {
        key: 'name',
        type: 'text',
        title: t('name'),
        minWidth: 140,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'finding',
        of: ['enabled', 'subjects', 'pending', 'firing', 'missing', 'missingFiring', 'stale'],
        title: t('finding'),
        width: 170,
        essential: true,
        text: findingText,
        render: (row) => <RuleFinding rule={row} />,
      },
      {
        key: 'kind',
        type: 'text',
        title: t('kind'),
        width: 120,
        leaveOut: true,
        text: ({ kind }) => t(`kinds.${kind}`),
      },
      {
        key: 'condition',
        of: ['metric', 'metricName', 'metricType', 'unit', 'comparison', 'threshold', 'seconds', 'onMissing'],
        type: 'text',
        title: t('condition'),
        minWidth: 230,
        length: 60,
        essential: true,
        text: (row) =>
          t('conditionText', {
            metric: row.metricName,
            comparison: t(`comparisons.${row.comparison}`),
            limit: limitOf(row),
            seconds: row.seconds,
          }),
      },
      {
        key: 'scope',
        of: ['containerId', 'linkId', 'serviceId', 'scopeNames', 'pattern'],
        type: 'text',
        title: t('scope'),
        minWidth: 140,
        length: 40,
        text: ({ scopeNames, pattern }) =>
          [...scopeNames.map((name) => name ?? t('gone')), ...(pattern ? [pattern] : [])].join(', ') ||
          t('all'),
      },
      {
        key: 'subjects',
        title: t('subjects'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: ({ subjects }) => subjects ?? '',
        render: ({ subjects }) => count(subjects),
      },
      {
        key: 'level',
        type: 'text',
        title: t('level'),
        width: 100,
        text: ({ level }) => t(`levels.${level as 0 | 1 | 3}`),
      },
      moment('mutedUntil'),
      {
        key: 'repeatMinutes',
        of: ['repeatMinutes', 'quiet'],
        title: t('repeatMinutes'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ repeatMinutes }) => repeatMinutes,
        render: ({ repeatMinutes }) => (repeatMinutes ? count(repeatMinutes) : t('once')),
      },
      moment('updatedAt'),
      {
        key: 'updatedBy',
        type: 'text',
        title: t('updatedBy'),
        width: 110,
        leaveOut: true,
        text: ({ updatedBy }) => updatedBy,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 200,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: (row) => [
          { key: 'subjects', label: t('findingsOf'), run: () => open('subjects', row) },
          ...(mayEdit ? [{ key: 'edit', label: t('edit'), run: () => open('form', row) }] : []),
          ...(mayOperate
            ? [
                row.mutedUntil
                  ? { key: 'unmute', label: t('unmute'), run: () => unmute(row) }
                  : { key: 'mute', label: t('mute'), run: () => open('mute', row) },
              ]
            : []),
          ...(mayDelete ? [{ key: 'delete', label: t('delete'), danger: true, run: () => remove(row) }] : []),
        ],
      },
    ];
  }, [t, mayEdit, mayDelete, mayOperate, findingText, remove, unmute, open]);
}
