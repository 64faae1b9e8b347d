import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusTopicRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { bytes, rate } from '@/shared/lib/figures';
import { type Column, MOMENT_WIDTH, type RowAction } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { MESSAGE_BUS } from './queries';

interface Actions {
  onOpen: (topic: BusTopicRecord, at: 'detail' | 'records' | 'retention') => void;
  onDelete: (topic: BusTopicRecord) => void;
}

type Words = ReturnType<typeof useTranslation<'message-bus'>>['t'];

/** What a topic is of: a node, one of its tables, or nothing any more. */
function ownerOf(topic: BusTopicRecord, t: Words): string {
  if (!topic.nodeName) return t('ownerless');
  return topic.table ? `${topic.nodeName} · ${topic.table}` : topic.nodeName;
}

function roleOf(topic: BusTopicRecord, t: Words): string {
  if (topic.role === null) return t('foreign');
  return topic.role === 'full' ? t('generation', { number: topic.generation }) : t(`roles.${topic.role}`);
}

function behindOf(topic: BusTopicRecord, t: Words): string {
  if (topic.behindRecords === null) return topic.unknownReaders > 0 ? t('unknown') : '–';
  const known = t('behindShort', { count: topic.behindRecords, size: bytes(topic.behindBytes) });
  return topic.unknownReaders > 0 ? t('andUnknown', { known, number: topic.unknownReaders }) : known;
}

/** A topic that gets a record now and then is not at rest. */
export function slowRate(perSecond: number | null): string {
  return perSecond && perSecond < 0.05 ? '<0.1/s' : rate(perSecond);
}

export function useTopicColumns({ onOpen, onDelete }: Actions): Column<BusTopicRecord>[] {
  const { t } = useTranslation('message-bus');
  const may = useMay(MESSAGE_BUS);
  return useMemo(() => {
    const actionsOf = (topic: BusTopicRecord): RowAction[] => [
      ...(topic.actions.includes('records')
        ? [{ key: 'records', label: t('records'), run: () => onOpen(topic, 'records') }]
        : []),
      ...(topic.actions.includes('retention') && may('edit')
        ? [{ key: 'retention', label: t('retention'), run: () => onOpen(topic, 'retention') }]
        : []),
      ...(topic.actions.includes('delete') && may('delete')
        ? [{ key: 'delete', label: t('delete'), danger: true, run: () => onDelete(topic) }]
        : []),
    ];
    return [
      {
        key: 'name',
        title: t('topic'),
        minWidth: 180,
        essential: true,
        text: ({ name }) => name,
        render: (topic) => (
          <button
            type="button"
            className="bus-topic"
            title={topic.name}
            onClick={() => onOpen(topic, 'detail')}
          >
            {topic.name}
          </button>
        ),
      },
      {
        key: 'role',
        of: ['role', 'generation'],
        title: t('role'),
        width: 140,
        text: (topic) => roleOf(topic, t),
        render: (topic) => roleOf(topic, t),
      },
      {
        key: 'nodeName',
        of: ['nodeName', 'table'],
        type: 'text',
        title: t('owner'),
        minWidth: 140,
        length: 40,
        text: (topic) => ownerOf(topic, t),
      },
      {
        key: 'partitions',
        title: t('partitions'),
        width: 90,
        align: 'right',
        hidden: true,
        text: (topic) => topic.partitions,
        render: (topic) => topic.partitions,
      },
      {
        key: 'records',
        title: t('recordCount'),
        width: 100,
        align: 'right',
        text: (topic) => topic.records,
        render: (topic) => <Count value={topic.records} />,
      },
      {
        key: 'sizeBytes',
        title: t('size'),
        width: 90,
        align: 'right',
        text: (topic) => topic.sizeBytes,
        render: (topic) => bytes(topic.sizeBytes),
      },
      {
        key: 'retentionHours',
        title: t('retention'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: (topic) => topic.retentionHours,
        render: (topic) =>
          topic.retentionHours === null ? '–' : t('hours', { count: topic.retentionHours }),
      },
      {
        key: 'recordsPerSecond',
        title: t('rate'),
        width: 90,
        align: 'right',
        leaveOut: true,
        text: (topic) => topic.recordsPerSecond,
        render: (topic) => slowRate(topic.recordsPerSecond),
      },
      {
        key: 'readers',
        title: t('readers'),
        width: 80,
        align: 'right',
        leaveOut: true,
        text: (topic) => topic.readers,
        render: (topic) => topic.readers,
      },
      {
        key: 'behindRecords',
        of: ['behindRecords', 'behindBytes', 'unknownReaders'],
        title: t('behind'),
        width: 150,
        align: 'right',
        text: (topic) => topic.behindRecords,
        render: (topic) => <span className="tabular">{behindOf(topic, t)}</span>,
      },
      {
        key: 'oldestAt',
        title: t('oldest'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: (topic) => topic.oldestAt,
        render: (topic) => <Moment at={topic.oldestAt} />,
      },
      {
        key: 'newestAt',
        title: t('newest'),
        width: MOMENT_WIDTH,
        hidden: true,
        text: (topic) => topic.newestAt,
        render: (topic) => <Moment at={topic.newestAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 190,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: actionsOf,
      },
    ];
  }, [t, may, onOpen, onDelete]);
}
