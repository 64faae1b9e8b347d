import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button, Drawer } from 'antd';
import { useState } from 'react';
import type { EtlRule, SheetRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { useAudience, useWords } from './audience';
import { useRuleChange, useRuleDeletion, useRules } from './queries';
import { RuleForm } from './rule-form';
import { RuleList } from './rule-list';
import { rulePlan, useChangeQuestion } from './use-change-question';

/** The form is open for a new rule, or for one that is there. */
type Editing = { rule?: EtlRule };

/** A subscribed table's ETL rules: which of its columns are computed or masked. */
export default function RulesDrawer({ table, onClose }: { table: SheetRecord; onClose: () => void }) {
  const { t } = useWords();
  const may = useMay(useAudience().menu);
  const isActive = usePageActive();
  const [editing, setEditing] = useState<Editing>();
  const isOffered = may('edit') && table.linkId === null;
  const change = useRuleChange();
  const agreed = useChangeQuestion();
  const save = async (rule: EtlRule) => {
    if (!(await agreed(table, rulePlan(table)))) return false;
    await change({ table: table.id, column: editing?.rule?.column, rule });
    return notify('success', t('rule.saved', { name: rule.column }));
  };
  return (
    <Drawer title={t('rule.title', { name: table.source })} open={isActive} onClose={onClose} size="50%">
      <Alert
        type="info"
        showIcon
        className="sync-alert"
        title={t(table.linkId ? 'sheet.settingsOfLink' : 'rule.hint')}
      />
      {isOffered && (
        <Button
          type="primary"
          icon={<PlusOutlined />}
          className="subscribe-rule-add"
          onClick={() => setEditing({})}
        >
          {t('rule.add')}
        </Button>
      )}
      <Rules table={table} onEdit={isOffered ? (rule) => setEditing({ rule }) : undefined} />
      {editing && <RuleForm rule={editing.rule} onSave={save} onClose={() => setEditing(undefined)} />}
    </Drawer>
  );
}

interface RulesProps {
  table: SheetRecord;
  /** Left out: rules are only shown. */
  onEdit: ((rule: EtlRule) => void) | undefined;
}

function Rules({ table, onEdit }: RulesProps) {
  const { t } = useWords();
  const { clientType } = useAudience();
  const query = useRules(table.id);
  const remove = useRemoval(table);
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={3} />;
  if (query.data.length === 0) return <EmptyState title={t('rule.empty')} hint={t('rule.emptyHint')} />;
  const isBare = !table.where && !table.targetWhere;
  return (
    <RuleList
      label={t('rule.title', { name: table.source })}
      rules={query.data}
      onEdit={onEdit}
      onDelete={remove}
      keepsLast={clientType === 'databus' && isBare}
    />
  );
}

function useRemoval(table: SheetRecord): (column: string) => void {
  const { t } = useWords();
  const confirm = useConfirmDanger();
  const { mutateAsync } = useRuleDeletion();
  return (column) =>
    confirm({
      title: t('rule.deleteTitle', { name: column }),
      content: t('rule.deleteHint', { table: table.source }),
      action: t('rule.delete'),
      run: async () => {
        await mutateAsync({ table: table.id, columns: [column] });
        notify('success', t('rule.deleted', { name: column }));
      },
    });
}
