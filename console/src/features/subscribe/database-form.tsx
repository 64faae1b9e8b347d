import { Button, Form, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError, type ConnectionInput, call, type DatabaseRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { ConnectionForm } from '@/shared/widgets/data-source/connection-form';
import { useConnectionTest } from '@/shared/widgets/data-source/connection-test';
import { type ConnectionValues, defaultValues, type Kind } from '@/shared/widgets/data-source/kind';
import { choiceOf, testConnection } from '@/shared/widgets/data-source/queries';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';
import { CustomerField } from './customer-field';
import { calls, useRefresh } from './queries';
import './subscribe.css';

interface Settings {
  name: string;
  customerId?: string;
}

interface Props {
  kind: Kind;
  database: DatabaseRecord | undefined;
  /** Whose further database it is; empty: to be chosen; left out: a new subscriber is made with it. */
  ofCustomer: string | undefined;
}

/** Name and connection of a target database. A new one is tested before it is kept. */
export default function DatabaseForm({ kind, database, ofCustomer }: Props) {
  const { t } = useTranslation(['subscribe', 'data-source']);
  const navigate = useNavigate();
  const [form] = Form.useForm<Settings>();
  const [connectionForm] = Form.useForm<ConnectionValues>();
  const [values, setValues] = useState<ConnectionValues>(() =>
    database ? storedValues(database) : defaultValues(kind),
  );
  const { test, run, dismiss } = useConnectionTest();
  const [isSaving, setSaving] = useState(false);
  const save = useSave(database, ofCustomer !== undefined);
  usePageTitle(database?.name);
  const given = { kind: kind.moduletype, values };
  const title = database
    ? 'config.edit'
    : ofCustomer === undefined
      ? 'config.newCustomer'
      : 'config.newDatabase';
  const check = async () => {
    const [settings, connection] = await Promise.all([
      form.validateFields().catch(() => undefined),
      connectionForm.validateFields().catch(() => undefined),
    ]);
    return settings && connection ? settings : undefined;
  };
  const runTest = async () => (await check()) && run(() => testConnection('target', choiceOf(given)));
  const submit = async () => {
    const settings = await check();
    if (!settings) return;
    // A stored password stays on the server, so only what was typed in whole can be tested from here.
    const isWhole = !database || values.password !== undefined;
    if (isWhole && !(await run(() => testConnection('target', choiceOf(given))))) return;
    dismiss();
    setSaving(true);
    try {
      await save(settings, { ...choiceOf(given) } as ConnectionInput);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.fields.name) form.setFields([{ name: 'name', errors: [error.fields.name] }]);
      else notify('error', error.message);
    } finally {
      setSaving(false);
    }
  };
  return (
    <section className="card subscribe-config">
      <h1>{t(title)}</h1>
      <div className="subscribe-config-kind">
        <img src={kind.pngpath} alt="" width={32} height={32} />
        <strong>{kind.label}</strong>
      </div>
      <Form<Settings>
        form={form}
        name="subscriber-database"
        layout="vertical"
        initialValues={{ name: database?.name ?? '', customerId: ofCustomer || undefined }}
        onFinish={submit}
      >
        {ofCustomer !== undefined && !database && <CustomerField />}
        <Form.Item
          name="name"
          label={t(ofCustomer === undefined && !database ? 'customer.name' : 'database.name')}
          rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
        >
          <Input maxLength={100} />
        </Form.Item>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
      <ConnectionForm
        form={connectionForm}
        kind={kind}
        values={values}
        onChange={setValues}
        onSubmit={submit}
      />
      {database && <p>{t('config.passwordHint')}</p>}
      <Space>
        <Button type="primary" loading={isSaving || test?.phase === 'running'} onClick={submit}>
          {t(database ? 'config.save' : 'config.testAndSave')}
        </Button>
        <Button disabled={database !== undefined && values.password === undefined} onClick={runTest}>
          {t('data-source:test.run')}
        </Button>
        <Button onClick={() => navigate(-1)}>{t('config.cancel')}</Button>
      </Space>
      {test && <TestDialog open test={test} onAgain={runTest} onClose={dismiss} />}
    </section>
  );
}

function storedValues({ target }: DatabaseRecord): ConnectionValues {
  const { host, port, user, database, tls } = target;
  return { host, port, user, database, tls };
}

function useSave(database: DatabaseRecord | undefined, isFurther: boolean) {
  const { t } = useTranslation('subscribe');
  const navigate = useNavigate();
  const refresh = useRefresh();
  return async ({ name, customerId = '' }: Settings, connection: ConnectionInput) => {
    if (database) await call(calls.editDatabase({ body: { databaseId: database.id, name, connection } }));
    else if (isFurther) await call(calls.addDatabase({ body: { customerId, name, connection } }));
    else await call(calls.addCustomer({ body: { name, connection } }));
    await refresh();
    notify('success', t('saved', { name }));
    navigate(database || isFurther ? paths.subscriberDatabases() : paths.subscribers(), { replace: true });
  };
}
