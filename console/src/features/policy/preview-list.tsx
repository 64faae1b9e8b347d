import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DistributionRequest, FindingRecord, PlannedTableRecord, PreviewRecord } from '@/shared/api';
import { PendingState } from '@/shared/ui/pending-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { LookMark } from '@/shared/ui/state-tag';
import { usePreview } from './queries';
import './policy.css';

/** How many tables of a customer are shown. */
const SHOWN = 200;

/** What a distribution would change at each customer, with what the pre-check found. */
export function PreviewList({ asked }: { asked: DistributionRequest }) {
  const query = usePreview(asked);
  if (!query.data) return <PendingState query={query} rows={6} />;
  return (
    <>
      {query.data.map((one) => (
        <Customer key={one.controlId} preview={one} />
      ))}
    </>
  );
}

function Customer({ preview }: { preview: PreviewRecord }) {
  const { t } = useTranslation('policy');
  const { customerName, controlName, ok, version, tables, findings } = preview;
  const changed = tables.filter(({ action, adopted }) => action !== 'keep' || adopted);
  const kept = tables.length - changed.length;
  return (
    <section className="policy-preview" aria-label={customerName}>
      <h2>
        {customerName} / {controlName}{' '}
        <LookMark look={ok ? 'good' : 'bad'} label={t(ok ? 'passes' : 'fails')} />
      </h2>
      <p>{version === null ? t('hasNone') : t('hasVersion', { number: version })}</p>
      {findings.length > 0 && (
        <PlainTable<FindingRecord>
          label={t('findings')}
          rows={findings}
          rowKey={({ table, column, code, text }) => [table, column, code, text].join(' ')}
          columns={[
            {
              key: 'level',
              title: t('level'),
              width: 100,
              render: ({ level }) => <LookMark look={lookOfLevel[level]} label={t(`levels.${level}`)} />,
            },
            { key: 'table', title: t('table'), render: ({ table }) => table },
            {
              key: 'text',
              title: t('finding'),
              render: ({ text, advice, remedy }) => [text, advice || remedy].filter(Boolean).join(' · '),
            },
          ]}
        />
      )}
      {changed.length > 0 ? (
        <PlainTable<PlannedTableRecord>
          label={t('changes')}
          rows={changed.slice(0, SHOWN)}
          rowKey={({ source }) => source}
          columns={[
            { key: 'source', title: t('table'), render: ({ source }) => source },
            { key: 'target', title: t('target'), render: ({ target }) => target },
            { key: 'action', title: t('change'), render: ({ action }) => t(`tableActions.${action}`) },
            {
              key: 'fields',
              title: t('setting'),
              render: ({ fields, adopted }) =>
                [
                  ...fields.map((field) => t(`fields.${field}` as 'fields.where')),
                  ...(adopted ? [t('adopted')] : []),
                ].join(', '),
            },
          ]}
        />
      ) : (
        <Alert type="info" showIcon title={t('nothingChanges')} />
      )}
      {changed.length > SHOWN && <p>{t('andMore', { count: changed.length - SHOWN })}</p>}
      {kept > 0 && changed.length > 0 && <p>{t('keptTables', { count: kept })}</p>}
    </section>
  );
}

const lookOfLevel = { error: 'bad', warning: 'warning', info: 'quiet' } as const;
