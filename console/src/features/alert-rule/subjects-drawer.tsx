import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RuleRecord, RuleSubject } from '@/shared/api';
import { alertRulePageSubjectsList } from '@/shared/api/lists';
import { time } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { shown } from './figures';
import { allSubjects, useSubjects } from './queries';

const keyOf = ({ id }: RuleSubject) => id;

const looks: Record<RuleSubject['state'], Look> = {
  firing: 'bad',
  'missing-firing': 'bad',
  missing: 'warning',
  pending: 'busy',
};

/** Subjects of a rule that are not in order now. */
export default function SubjectsDrawer({ rule, onClose }: { rule: RuleRecord; onClose: () => void }) {
  const { t } = useTranslation('alert-rule');
  const state = useTableState('subjects');
  const [search, setSearch] = useState('');
  const asked = { ...state.request, id: rule.id, search };
  const query = useSubjects(asked);
  return (
    <Drawer open size="50%" title={t('subjectsOf', { name: rule.name })} onClose={onClose}>
      <p>{t('subjectsHint')}</p>
      <DataTable
        label={t('subjectsOf', { name: rule.name })}
        name="alert-rule-subjects"
        columns={useColumns(rule)}
        list={alertRulePageSubjectsList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allSubjects(asked)}
        empty={{ title: search ? t('emptyFiltered') : t('noSubjects') }}
        toolbar={<ListSearch label={t('searchSubject')} value={search} onSearch={setSearch} />}
        extra={<LiveMark query={query} />}
      />
    </Drawer>
  );
}

function useColumns(rule: RuleRecord): Column<RuleSubject>[] {
  const { t } = useTranslation('alert-rule');
  return useMemo(() => {
    const moment = (key: 'since' | 'firedAt' | 'missingSince'): Column<RuleSubject> => ({
      key,
      title: t(`moments.${key}`),
      width: MOMENT_WIDTH,
      text: (row) => time(row[key]),
      render: (row) => <Moment at={row[key]} />,
    });
    const figureOf = ({ value }: RuleSubject) =>
      value === null ? '' : shown(value, { unit: rule.unit, type: rule.metricType });
    return [
      {
        key: 'name',
        type: 'text',
        title: t('object'),
        minWidth: 160,
        essential: true,
        text: ({ name }) => name,
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        essential: true,
        text: ({ state }) => t(`states.${state}`),
        render: ({ state }) => <LookMark look={looks[state]} label={t(`states.${state}`)} />,
      },
      { key: 'value', title: t('value'), width: 110, align: 'right', text: figureOf, render: figureOf },
      moment('since'),
      moment('firedAt'),
      moment('missingSince'),
    ];
  }, [t, rule]);
}
