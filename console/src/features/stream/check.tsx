import { CheckCircleOutlined } from '@ant-design/icons';
import { Alert, Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type StreamQueryCheckRecord, type StreamQueryInputForm } from '@/shared/api';
import { PlainTable } from '@/shared/ui/plain-table';
import { useCheck } from './queries';

type Field = 'sql' | 'key' | 'targetTable';

/** The field of a reason; a reason without one is shown next to the button. */
const placeOf: Record<string, Field> = {
  'computation-invalid': 'sql',
  'computation-failed': 'sql',
  'result-key-unknown': 'key',
  'column-not-in-target': 'targetTable',
};
const needed = ['databaseId', 'inputs', 'sql', 'targetSchema', 'targetTable'] as const;

interface Props {
  /** The table that the result is in already. */
  own: string | undefined;
  onColumns: (names: readonly string[]) => void;
}

/** Compiles the SELECT of the form around it, and shows the result's columns, or why there is none. */
export function Check({ own, onColumns }: Props) {
  const { t } = useTranslation('stream');
  const form = Form.useFormInstance<StreamQueryInputForm>();
  const check = useCheck();
  const [table, setTable] = useState<string>();
  const run = async () => {
    await form.validateFields([...needed], { recursive: true });
    const { databaseId, inputs, sql, key = [], targetSchema, targetTable } = form.getFieldsValue(true);
    const found = await check.mutateAsync({ databaseId, inputs, sql, key, targetSchema, targetTable });
    setTable(`${targetSchema}.${targetTable}`);
    onColumns(found.columns.map(({ name }) => name));
    const place = found.reason && placeOf[found.reason.code];
    form.setFields((['sql', 'key', 'targetTable'] as const).map((name) => ({ name, errors: [] })));
    if (place && found.reason)
      form.setFields([{ name: place, errors: [found.reason.text, found.reason.remedy] }]);
  };
  // What is missing stands at its field, and what was refused below the button.
  const start = () => void run().catch(() => undefined);
  return (
    <section className="stream-check" aria-label={t('check.title')}>
      <Button icon={<CheckCircleOutlined />} loading={check.isPending} onClick={start}>
        {t('check.run')}
      </Button>
      {check.error && <Alert type="error" showIcon title={reported(check.error)} />}
      {check.data && <Found found={check.data} isOwn={table === own} />}
    </section>
  );
}

function reported(error: Error): string {
  const fields = error instanceof ApiError ? Object.values(error.fields) : [];
  return fields[0] ?? error.message;
}

function Found({ found, isOwn }: { found: StreamQueryCheckRecord; isOwn: boolean }) {
  const { columns, reason, exists } = found;
  const { t } = useTranslation('stream');
  return (
    <>
      {reason && !placeOf[reason.code] && (
        <Alert type="error" showIcon title={reason.text} description={reason.remedy} />
      )}
      {exists && !isOwn && <Alert type="warning" showIcon title={t('check.exists')} />}
      {columns.length > 0 && (
        <PlainTable
          label={t('check.columns')}
          rows={columns}
          rowKey={({ name }) => name}
          columns={[
            { key: 'name', title: t('check.column'), render: ({ name }) => name },
            { key: 'type', title: t('check.type'), render: ({ type }) => type },
          ]}
        />
      )}
    </>
  );
}
