import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInRecord } from '@/shared/api';
import { operationLogPageSignInsList } from '@/shared/api/lists';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { TimeRange } from '@/shared/ui/time-range';
import { useRecordColumns } from './columns';
import { allSignIns, useSignIns } from './queries';
import { ResultChoice } from './result-choice';
import './audit-log.css';

const NAME = 'login-log';
const defaults = { search: '', result: '', since: '', until: '' };
const keyOf = ({ id }: SignInRecord) => id;

/** Who signed in and out, how and from where, and which attempts failed. */
export default function LoginLogPage() {
  const { t } = useTranslation('audit-log');
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <h1 className="visually-hidden">{t('login.title')}</h1>
      <DataTable
        label={t('login.title')}
        name={NAME}
        columns={useColumns()}
        list={operationLogPageSignInsList}
        query={useSignIns(state.request, filter)}
        state={state}
        rowKey={keyOf}
        loadAll={() => allSignIns(state.request, filter)}
        empty={
          isNarrowed ? { title: t('emptyFiltered') } : { title: t('login.empty'), hint: t('login.emptyHint') }
        }
        toolbar={
          <>
            <ListSearch
              label={t('login.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ResultChoice value={filter.result} onChange={(result) => narrow({ result })} />
            <TimeRange
              labels={{ since: t('from'), until: t('until') }}
              since={filter.since}
              until={filter.until}
              onChange={narrow}
            />
          </>
        }
      />
    </>
  );
}

function useColumns(): Column<SignInRecord>[] {
  const { t } = useTranslation('audit-log');
  const shared = useRecordColumns<SignInRecord>();
  return useMemo(
    () => [
      shared.recordedAt,
      { key: 'userName', type: 'text', title: t('user'), minWidth: 130, text: ({ userName }) => userName },
      {
        key: 'action',
        type: 'text',
        title: t('login.action'),
        minWidth: 180,
        essential: true,
        length: 40,
        text: ({ title }) => title,
      },
      shared.result,
      { key: 'reason', type: 'text', title: t('reason'), minWidth: 200, text: ({ reason }) => reason },
      shared.address,
    ],
    [t, shared],
  );
}
