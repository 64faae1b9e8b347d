import { Button, Form, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError, type ConnectionInput, call, type DatabaseRecord, type LoadType } from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { notify } from '@/shared/lib/notices';
import { usePageTitle } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { showFaults } from '@/shared/ui/form-faults';
import { NameField } from '@/shared/ui/name-field';
import { ConnectionForm } from '@/shared/widgets/data-source/connection-form';
import type { Kind } from '@/shared/widgets/data-source/kind';
import { TestDialog } from '@/shared/widgets/data-source/test-dialog';
import { useTestedConnection } from '@/shared/widgets/data-source/use-tested-connection';
import { useAudience, useWords } from './audience';
import { CustomerField } from './customer-field';
import { LoadTypeField } from './load-type-field';
import { calls, useRefresh } from './queries';
import './subscribe.css';

interface Settings {
  name: string;
  customerId?: string;
  loadType?: LoadType;
}

interface Props {
  kind: Kind;
  database: DatabaseRecord | undefined;
  /** Whose further database it is; empty: to be chosen; left out: a new subscriber is made with it. */
  ofCustomer: string | undefined;
}

/** Name and connection of a target database. A new one is tested before it is kept. */
export default function DatabaseForm({ kind, database, ofCustomer }: Props) {
  const { t } = useWords();
  const { clientType, paths } = useAudience();
  const { t: dataSource } = useTranslation('data-source');
  const navigate = useNavigate();
  const [isSaving, setSaving] = useState(false);
  const home = database || ofCustomer !== undefined ? paths.databases() : paths.customers();
  const save = useSave(database, ofCustomer !== undefined);
  const keep = async (settings: Settings, connection: ConnectionInput) => {
    setSaving(true);
    try {
      await save(settings, connection);
      saved();
      navigate(home, { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFaults(form, error, () => failureText(error, database ? 'modify' : 'submit'));
    } finally {
      setSaving(false);
    }
  };
  const tested = useTestedConnection<Settings>(
    'target',
    kind,
    database && { place: database.target, named: { databaseId: database.id } },
    keep,
  );
  const { form, connectionForm, values, setValues, test, dismiss, runTest, submit } = tested;
  const saved = useUnsaved(() => form.isFieldsTouched() || connectionForm.isFieldsTouched());
  const title = database
    ? 'config.edit'
    : ofCustomer === undefined
      ? 'config.newCustomer'
      : 'config.newDatabase';
  usePageTitle(database?.name ?? t(title));
  return (
    <section className="card connection-page">
      <h1>{t(title)}</h1>
      <div className="connection-kind">
        <img src={kind.pngpath} alt="" width={32} height={32} />
        <strong>{kind.label}</strong>
      </div>
      <Form<Settings>
        form={form}
        name="subscriber-database"
        layout="vertical"
        initialValues={{
          name: database?.name ?? '',
          customerId: ofCustomer || undefined,
          loadType: database?.loadType ?? 'C',
        }}
        onFinish={submit}
      >
        {ofCustomer !== undefined && !database && <CustomerField />}
        <NameField
          label={t(ofCustomer === undefined && !database ? 'customer.name' : 'database.name')}
          emptyFault={t('nameFault')}
        />
        {clientType !== 'stream' && <LoadTypeField extra={t('database.loadTypeHint')} />}
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
        <Button onClick={runTest}>{dataSource('test.run')}</Button>
        <Button onClick={() => navigate(home, { replace: true })}>{t('config.cancel')}</Button>
      </Space>
      {test && <TestDialog open test={test} onAgain={runTest} onClose={dismiss} />}
    </section>
  );
}

function useSave(database: DatabaseRecord | undefined, isFurther: boolean) {
  const { t } = useWords();
  const { clientType } = useAudience();
  const refresh = useRefresh();
  return async ({ name, customerId = '', loadType }: Settings, connection: ConnectionInput) => {
    const body = { name, connection, ...(loadType && { loadType }) };
    if (database) await call(calls.editDatabase({ body: { ...body, databaseId: database.id } }));
    else if (isFurther) await call(calls.addDatabase({ body: { ...body, customerId } }));
    else await call(calls.addCustomer({ body: { ...body, clientType } }));
    await refresh();
    notify('success', t('saved', { name }));
  };
}
