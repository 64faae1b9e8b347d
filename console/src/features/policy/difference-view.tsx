import { useTranslation } from 'react-i18next';
import type { ComparisonRequest, FieldRecord, PolicyDifference } from '@/shared/api';
import { PendingState } from '@/shared/ui/pending-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useDifference } from './queries';
import './policy.css';

/** How many names of a list are shown. */
const SHOWN = 200;

/** What differs between two states of a policy. */
export function DifferenceView(props: ComparisonRequest) {
  const query = useDifference(props);
  if (!query.data) return <PendingState query={query} rows={4} />;
  return <Difference difference={query.data} />;
}

interface Line {
  table: string;
  field: FieldRecord;
}

function Difference({ difference }: { difference: PolicyDifference }) {
  const { t } = useTranslation('policy');
  const { settings, added, removed, changed } = difference;
  const lines: Line[] = [
    ...settings.map((field) => ({ table: t('allTables'), field })),
    ...changed.flatMap(({ table, fields }) => fields.map((field) => ({ table, field }))),
  ];
  if (lines.length + added.length + removed.length === 0) return <p>{t('noDifference')}</p>;
  return (
    <div className="policy-difference">
      <Names title={t('addedTables', { count: added.length })} names={added} />
      <Names title={t('removedTables', { count: removed.length })} names={removed} />
      {lines.length > 0 && (
        <>
          <h3>{t('changedSettings')}</h3>
          <PlainTable<Line>
            label={t('changedSettings')}
            rows={lines.slice(0, SHOWN)}
            rowKey={({ table, field }) => `${table} ${field.name}`}
            columns={[
              { key: 'table', title: t('table'), width: 180, render: ({ table }) => table },
              {
                key: 'field',
                width: 130,
                title: t('setting'),
                render: ({ field }) => t(`fields.${field.name}` as 'fields.where'),
              },
              { key: 'before', title: t('before'), render: ({ field }) => <Value of={field.before} /> },
              { key: 'after', title: t('after'), render: ({ field }) => <Value of={field.after} /> },
            ]}
          />
          {lines.length > SHOWN && <p>{t('andMore', { count: lines.length - SHOWN })}</p>}
        </>
      )}
    </div>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  const { t } = useTranslation('policy');
  if (names.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {names.slice(0, SHOWN).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {names.length > SHOWN && <p>{t('andMore', { count: names.length - SHOWN })}</p>}
    </>
  );
}

function Value({ of }: { of: unknown }) {
  const { t } = useTranslation('policy');
  const isNothing = of === null || of === undefined || of === '' || (Array.isArray(of) && of.length === 0);
  if (isNothing) return <>{t('none')}</>;
  return <span className="policy-value">{typeof of === 'string' ? of : plain(of)}</span>;
}

/** Rules line by line, without what each leaves open; anything else as it is stored. */
function plain(of: unknown): string {
  if (!Array.isArray(of) || of.some((one) => typeof one !== 'object')) return JSON.stringify(of);
  return of
    .map((one: object) => Object.values(one).filter((value) => value !== '' && value !== 0))
    .map((values) => values.join(' · '))
    .join('\n');
}
