import { useQueryClient } from '@tanstack/react-query';
import { Form, Input, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type MachineRecord,
  type MachineUpdate,
  machineGet,
  machineUpdate,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';

interface Props {
  deviceId: string;
  onClose: () => void;
}

/** How to sign in to a host by SSH; kept once signing in has worked. */
export default function MachineDrawer({ deviceId, onClose }: Props) {
  const { t } = useTranslation('machine');
  const query = useRead({
    queryKey: ['machine', deviceId],
    queryFn: ({ signal }) => call(machineGet({ body: { deviceId }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
  if (!query.data) return <WaitingDrawer title={t('connection')} queries={[query]} onClose={onClose} />;
  return <MachineForm machine={query.data} onClose={onClose} />;
}

type Values = Omit<MachineUpdate, 'deviceId'>;

function MachineForm({ machine, onClose }: { machine: MachineRecord; onClose: () => void }) {
  const { t } = useTranslation('machine');
  const client = useQueryClient();
  const save = async (values: Values) => {
    const body = { ...values, deviceId: machine.deviceId, password: values.password ?? '' };
    await call(machineUpdate({ body, ...audited(machine, { ...values, password: undefined }) }));
    notify('success', t('saved'));
    await client.invalidateQueries({ queryKey: ['machine'] });
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('connectionOf', { host: machine.host })}
      open
      initialValues={{ ...machine, password: '' }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('hint')}</p>
      <Form.Item name="host" label={t('host')} extra={t('hostHint')}>
        <Input {...upTo(255)} spellCheck={false} />
      </Form.Item>
      <Form.Item name="port" label={t('port')} rules={[{ required: true, message: t('portFault') }]}>
        <InputNumber controls={false} min={1} max={65535} precision={0} />
      </Form.Item>
      <Form.Item
        name="user"
        label={t('user')}
        rules={[{ required: true, whitespace: true, message: t('userFault') }]}
      >
        <Input {...upTo(100)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('password')}
        extra={machine.passwordKept ? t('passwordKept') : undefined}
        rules={machine.passwordKept ? [] : [{ required: true, message: t('passwordFault') }]}
      >
        <Input.Password {...upTo(200)} autoComplete="new-password" />
      </Form.Item>
      {machine.hostKey && (
        <Form.Item name="hostKey" label={t('hostKey')} extra={t('hostKeyHint')}>
          <Input {...upTo(100)} spellCheck={false} />
        </Form.Item>
      )}
    </FormDrawer>
  );
}
