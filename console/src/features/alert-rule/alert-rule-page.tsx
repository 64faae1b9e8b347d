import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RulePageRequest, RuleRecord } from '@/shared/api';
import { alertRulePageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { allRules, RULES, useRules } from './queries';
import { type Place, useRuleColumns } from './rule-columns';
import { kinds } from './rule-form';

const RuleDrawer = lazy(() => import('./rule-drawer'));
const SubjectsDrawer = lazy(() => import('./subjects-drawer'));
const MuteDialog = lazy(() => import('./mute-dialog'));

const defaults = { search: '', kind: '', firing: '' };
const keyOf = ({ id }: RuleRecord) => id;

/** Own rules: which figure is an alert, for whom, and what each rule finds now. */
export default function AlertRulePage() {
  const { t } = useTranslation('alert-rule');
  const state = useTableState();
  const [filter, narrow] = useListFilter('alert-rules', defaults);
  const [opened, setOpened] = useState<{ at: Place; rule?: RuleRecord }>();
  const asked: RulePageRequest = {
    ...state.request,
    search: filter.search,
    kind: (filter.kind || null) as RuleRecord['kind'] | null,
    firing: filter.firing ? filter.firing === 'yes' : null,
  };
  const query = useRules(asked);
  const add = useMay(RULES)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpened({ at: 'form' })}>
      {t('add')}
    </Button>
  );
  const close = () => setOpened(undefined);
  const isStale = query.data?.records.some(({ stale }) => stale);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      {isStale && <Alert type="warning" showIcon banner title={t('stale')} />}
      <DataTable
        label={t('rules')}
        name="alert-rules"
        columns={useRuleColumns((at, rule) => setOpened({ at, rule }))}
        list={alertRulePageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allRules(asked)}
        empty={
          filter.search || filter.kind || filter.firing
            ? { title: t('emptyFiltered') }
            : { title: t('noRules'), hint: t('noRulesHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            <ListSearch
              label={t('searchRule')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('kind')}
              value={filter.kind}
              onChange={(kind) => narrow({ kind })}
              options={[
                { value: '', label: t('anyKind') },
                ...kinds.map((value) => ({ value: value as string, label: t(`kinds.${value}`) })),
              ]}
            />
            <ListChoice
              label={t('finding')}
              value={filter.firing}
              onChange={(firing) => narrow({ firing })}
              options={[
                { value: '', label: t('anyFinding') },
                { value: 'yes', label: t('withAlerts') },
                { value: 'no', label: t('withoutAlerts') },
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {opened?.at === 'form' && <RuleDrawer edit={opened.rule} onClose={close} />}
        {opened?.at === 'subjects' && opened.rule && <SubjectsDrawer rule={opened.rule} onClose={close} />}
        {opened?.at === 'mute' && opened.rule && <MuteDialog rule={opened.rule} onClose={close} />}
      </Suspense>
    </>
  );
}
