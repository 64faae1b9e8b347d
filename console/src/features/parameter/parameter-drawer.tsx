import { useQueryClient } from '@tanstack/react-query';
import { Form, Input, InputNumber, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type ParameterRecord, parameterUpdate } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';

const CONSOLE = 'sys_config';

interface Props {
  parameter: ParameterRecord;
  onClose: () => void;
}

interface ConsoleValue {
  isDeleteCode: boolean;
  leftLowerText: string;
  countdown: number;
}

/** A parameter's value: the console's own in fields, every other one as JSON. */
export default function ParameterDrawer({ parameter, onClose }: Props) {
  const { t } = useTranslation('parameter');
  const client = useQueryClient();
  const { variableName, value, description } = parameter;
  const isConsole = variableName === CONSOLE;
  const save = async (values: ConsoleValue | { value: string }) => {
    // What the console's value has besides its fields stays.
    const next = 'value' in values ? JSON.parse(values.value) : { ...(value as object), ...values };
    const body = { variableName, value: next };
    await call(parameterUpdate({ body, ...audited({ value }, { value: next }) }));
    notify('success', t('saved', { name: variableName }));
    await client.invalidateQueries();
  };
  return (
    <FormDrawer<ConsoleValue | { value: string }>
      asked="modify"
      title={t('editTitle', { name: variableName })}
      open
      initialValues={isConsole ? (value as ConsoleValue) : { value: JSON.stringify(value, null, 2) }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{description}</p>
      {isConsole ? <ConsoleFields /> : <JsonField />}
    </FormDrawer>
  );
}

function ConsoleFields() {
  const { t } = useTranslation('parameter');
  return (
    <>
      <Form.Item
        name="isDeleteCode"
        label={t('isDeleteCode')}
        extra={t('isDeleteCodeHint')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
      <Form.Item name="leftLowerText" label={t('leftLowerText')}>
        <Input {...upTo(200)} />
      </Form.Item>
      <Form.Item
        name="countdown"
        label={t('countdown')}
        rules={[{ required: true, message: t('countdownFault') }]}
      >
        <InputNumber controls={false} min={1} max={3600} precision={0} />
      </Form.Item>
    </>
  );
}

function JsonField() {
  const { t } = useTranslation('parameter');
  const check = async (_: unknown, text: string) => {
    try {
      JSON.parse(text);
    } catch {
      throw new Error(t('jsonFault'));
    }
  };
  return (
    <Form.Item name="value" label={t('value')} rules={[{ validator: check }]}>
      <Input.TextArea autoSize={{ minRows: 3, maxRows: 20 }} spellCheck={false} />
    </Form.Item>
  );
}
