import { Form, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type ManagedService, servicePlace } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { serviceTitle } from './kinds';
import { useHosts, useRefreshServices } from './queries';

interface Props {
  /** All of one container. */
  services: readonly ManagedService[];
  onClose: () => void;
}

interface Values {
  deviceId: string;
  pinned: boolean;
}

/** Says on which host of their container services run, and whether they stay there whatever happens. */
export default function PlaceDrawer({ services, onClose }: Props) {
  const { t } = useTranslation('service');
  const refresh = useRefreshServices();
  const save = async (values: Values) => {
    const ids = services.map(({ id }) => id);
    const results = await call(servicePlace({ body: { ids, ...values }, ...audited(services, values) }));
    for (const { done, serviceName, message } of results) {
      if (done) notify('success', t('placed', { name: serviceName }));
      else notify('error', message ?? '');
    }
    await refresh();
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('placeTitle', { count: services.length })}
      open
      initialValues={{ deviceId: '', pinned: services.every(({ pinned }) => pinned) }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{services.map(({ serviceName, type }) => `${serviceName} (${serviceTitle(type)})`).join(', ')}</p>
      <HostField containerId={services[0]?.containerid ?? ''} />
      <Form.Item name="pinned" label={t('pin')} extra={t('pinHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDrawer>
  );
}

function HostField({ containerId }: { containerId: string }) {
  const { t } = useTranslation('service');
  const { data, error } = useHosts(containerId);
  const hosts = (data ?? []).map(({ id, host, alive }) => ({
    value: id,
    label: alive ? host : t('hostOffline', { host }),
    disabled: !alive,
  }));
  return (
    <Form.Item name="deviceId" label={t('place')} extra={error?.message ?? t('placeHint')}>
      <Select loading={!data && !error} options={[{ value: '', label: t('whereItIs') }, ...hosts]} />
    </Form.Item>
  );
}
