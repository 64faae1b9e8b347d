import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInRecord } from '@/shared/api';
import { operationLogPageSignInsList } from '@/shared/api/lists';
import { time } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { allSignIns, useSignIns } from './queries';
import { ResultChoice } from './result-choice';
import { ResultMark } from './result-mark';
import { TimeRange } from './time-range';
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
            <TimeRange since={filter.since} until={filter.until} onChange={narrow} />
          </>
        }
      />
    </>
  );
}

function useColumns(): Column<SignInRecord>[] {
  const { t } = useTranslation('audit-log');
  return useMemo(
    () => [
      {
        key: 'recordedAt',
        title: t('at'),
        width: MOMENT_WIDTH,
        essential: true,
        text: ({ recordedAt }) => time(recordedAt),
        render: ({ recordedAt }) => <Moment at={recordedAt} />,
      },
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
      {
        key: 'result',
        title: t('result'),
        width: 120,
        text: ({ result }) => t(result),
        render: ({ result }) => <ResultMark result={result} />,
      },
      { key: 'reason', type: 'text', title: t('reason'), minWidth: 200, text: ({ reason }) => reason },
      { key: 'address', type: 'text', title: t('address'), width: 150, text: ({ address }) => address },
    ],
    [t],
  );
}
