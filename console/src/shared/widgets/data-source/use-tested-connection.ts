import { Form, type FormInstance } from 'antd';
import { useState } from 'react';
import type { ConnectionChoice, ConnectionInput, ConnectionRecord } from '@/shared/api';
import { toFault } from '@/shared/ui/form-faults';
import { useConnectionTest } from './connection-test';
import { type ConnectionValues, defaultValues, type Kind } from './kind';
import { choiceOf, testConnection } from './queries';

/** What a stored connection fills into the form; its password stays on the server. */
function storedValues({ kind: _kind, place: _place, ...options }: ConnectionRecord): ConnectionValues {
  return options as ConnectionValues;
}

/** The first field that is not right. */
function focusFault(form: Pick<FormInstance, 'getFieldsError' | 'scrollToField'>): void {
  const fault = form.getFieldsError().find(({ errors }) => errors.length > 0);
  if (fault) form.scrollToField(fault.name, toFault);
}

/** What is edited: its place, and by what name the server finds its password. */
interface Stored {
  place: ConnectionRecord;
  named: Pick<ConnectionChoice, 'nodeMaster' | 'databaseId'>;
}

/**
 * A connection's form together with one of further settings: saving checks both, and tests the connection first wherever it
 * was typed in whole. `stored`: what is edited; left out: something new.
 */
export function useTestedConnection<Settings extends object>(
  side: 'source' | 'target',
  kind: Kind,
  stored: Stored | undefined,
  save: (settings: Settings, connection: ConnectionInput) => Promise<void>,
) {
  const [form] = Form.useForm<Settings>();
  const [connectionForm] = Form.useForm<ConnectionValues>();
  const [values, setValues] = useState<ConnectionValues>(() =>
    stored ? storedValues(stored.place) : defaultValues(kind),
  );
  const { test, run, dismiss } = useConnectionTest();
  const connection = choiceOf({ kind: kind.moduletype, values });
  const isWhole =
    !stored || kind.options.some(({ name, type }) => type === 'secret' && values[name] !== undefined);
  const check = async () => {
    const [settings, place] = await Promise.all([
      form.validateFields().catch(() => undefined),
      connectionForm.validateFields().catch(() => undefined),
    ]);
    if (settings && place) return settings;
    focusFault(settings ? connectionForm : form);
    return undefined;
  };
  // Where no password was typed the server tests with the one that it keeps.
  const askFor = (settings: Pick<ConnectionChoice, 'loadType'>) =>
    run(() => testConnection(side, { ...connection, ...stored?.named, loadType: settings.loadType ?? null }));
  const runTest = async () => {
    const settings = await check();
    if (settings) await askFor(settings);
  };
  const submit = async () => {
    const settings = await check();
    if (!settings) return;
    if (isWhole && !(await askFor(settings))) return;
    dismiss();
    await save(settings, { ...connection } as ConnectionInput);
  };
  return { form, connectionForm, values, setValues, test, dismiss, runTest, submit };
}
