import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form, Space } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  call,
  type SecondFactorState,
  type SecurityKeyRecord,
  secondFactorRemoveKey,
  secondFactorRenameKey,
} from '@/shared/api';
import { KeyName, ProofForm } from './second-factor-forms';

interface RenameProps {
  target: SecurityKeyRecord;
  back: ReactNode;
  onDone: () => void;
}

/** Another name for a key. */
export function RenameKey({ target, back, onDone }: RenameProps) {
  const { t } = useTranslation('account');
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      call(secondFactorRenameKey({ body: { id: target.id, name: name.trim() } })),
    onSuccess: onDone,
  });
  return (
    <Form
      layout="vertical"
      initialValues={{ name: target.name }}
      onFinish={(entered: { name: string }) => rename.mutate(entered)}
      disabled={rename.isPending}
    >
      <KeyName />
      <Space>
        <Button type="primary" htmlType="submit">
          {t('key.rename')}
        </Button>
        {back}
      </Space>
    </Form>
  );
}

interface RemoveProps extends RenameProps {
  state: SecondFactorState;
  hasKey: boolean;
}

/** Removes a key, with what that means; the last factor stays where the tenant demands one. */
export function RemoveKey({ target, state, hasKey, back, onDone }: RemoveProps) {
  const { t } = useTranslation('account');
  const isLast = state.keys.length === 1 && !state.hasAuthenticator;
  const { name } = target;
  if (isLast && state.isRequired)
    return (
      <>
        <Alert className="key-fault" type="warning" showIcon title={t('key.needed', { name })} />
        {back}
      </>
    );
  return (
    <ProofForm
      danger
      hasKey={hasKey}
      explained={t(isLast ? 'key.removeLast' : 'key.removeHint', { name })}
      action={t('key.remove')}
      run={(proof) => call(secondFactorRemoveKey({ body: { ...proof, id: target.id } }))}
      back={back}
      onDone={onDone}
    />
  );
}
