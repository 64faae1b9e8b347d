import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type ServiceAddition, serviceAdd } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { useContainers } from '@/shared/widgets/selectors/queries';
import { madeFor, type ServiceType, serviceTitle, serviceTypes } from './kinds';
import { logLevels, useFreeMembers, useRefreshServices } from './queries';

/** Has a container run services that were taken out of one. */
export default function AddDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('service');
  const refresh = useRefreshServices();
  const save = async (body: ServiceAddition) => {
    const results = await call(serviceAdd({ body }));
    for (const { done, serviceName, message } of results) {
      if (done) notify('success', t('added', { name: serviceName }));
      else notify('error', message ?? '');
    }
    await refresh();
  };
  return (
    <FormDrawer<ServiceAddition>
      title={t('add')}
      open
      initialValues={{ type: 'publish', logLevel: 'info' }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('addHint')}</p>
      <Form.Item name="type" label={t('type')}>
        <Select options={serviceTypes.map((value) => ({ value, label: serviceTitle(value) }))} />
      </Form.Item>
      <Members />
      <ContainerField />
      <Form.Item name="logLevel" label={t('logLevel')}>
        <Select options={logLevels.map((value) => ({ value, label: value }))} />
      </Form.Item>
    </FormDrawer>
  );
}

/** Whose services: what is chosen of one type means nothing for the other. */
function Members() {
  const { t } = useTranslation('service');
  const type: ServiceType = Form.useWatch('type') ?? 'publish';
  const { data, error } = useFreeMembers(type);
  return (
    <Form.Item
      key={type}
      name="nodeids"
      label={t(`members.${madeFor(type)}`)}
      preserve={false}
      rules={[{ required: true, message: t('chooseMembers') }]}
      extra={error?.message}
    >
      <Select
        mode="multiple"
        loading={!data && !error}
        notFoundContent={t('noMembers')}
        options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Form.Item>
  );
}

/** One of the containers that the viewer may run services in. */
export function ContainerField({ without }: { without?: string }) {
  const { t } = useTranslation('service');
  const { data, error } = useContainers();
  const options = (data?.records ?? [])
    .filter(({ id }) => id !== without)
    .map(({ id, displayName, containerName }) => ({ value: id, label: displayName || containerName }));
  return (
    <Form.Item
      name="containerid"
      label={t('container')}
      rules={[{ required: true, message: t('chooseContainer') }]}
      extra={error?.message}
    >
      <Select loading={!data && !error} notFoundContent={t('noContainer')} options={options} />
    </Form.Item>
  );
}
