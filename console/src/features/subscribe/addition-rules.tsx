import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EtlRule } from '@/shared/api';
import { upTo } from '@/shared/ui/up-to';
import { RuleForm } from './rule-form';
import { RuleList } from './rule-list';

/** What is done with every table of one addition. */
export interface Transform {
  rules: readonly EtlRule[];
  where: string;
}

export const NO_TRANSFORM: Transform = { rules: [], where: '' };

export function isTransforming({ rules, where }: Transform): boolean {
  return rules.length > 0 || where.trim() !== '';
}

interface Props {
  transform: Transform;
  onChange: (transform: Transform) => void;
}

/** The ETL rules that tables are added with: asked for before the tables, because none is taken without. */
export function AdditionRules({ transform, onChange }: Props) {
  const { t } = useTranslation('subscribe');
  const [editing, setEditing] = useState<{ rule?: EtlRule }>();
  const { rules, where } = transform;
  const others = rules.filter((one) => one !== editing?.rule);
  const keep = async (rule: EtlRule) =>
    onChange({ ...transform, rules: [...others, rule].sort((a, b) => (a.column < b.column ? -1 : 1)) });
  return (
    <section aria-label={t('rule.ofAddition')} className="subscribe-addition-rules">
      <Alert type="info" showIcon title={t('rule.ofAdditionHint')} />
      <div className="subscribe-rule-add">
        <Button icon={<PlusOutlined />} onClick={() => setEditing({})}>
          {t('rule.add')}
        </Button>
      </div>
      {rules.length > 0 && (
        <RuleList
          label={t('rule.ofAddition')}
          rules={rules}
          onEdit={(rule) => setEditing({ rule })}
          onDelete={(column) =>
            onChange({ ...transform, rules: rules.filter((one) => one.column !== column) })
          }
        />
      )}
      <Form layout="vertical">
        <Form.Item label={t('sheet.where')} htmlFor="addition-where" extra={t('sheet.whereHint')}>
          <Input
            id="addition-where"
            value={where}
            {...upTo(4000)}
            spellCheck={false}
            onChange={(event) => onChange({ ...transform, where: event.target.value })}
          />
        </Form.Item>
      </Form>
      {editing && (
        <RuleForm
          rule={editing.rule}
          taken={others.map(({ column }) => column)}
          onSave={keep}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  );
}
