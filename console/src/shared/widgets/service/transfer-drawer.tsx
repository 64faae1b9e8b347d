import { useTranslation } from 'react-i18next';
import { call, type ManagedService, serviceTransferContainer } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { ContainerField } from './add-drawer';
import { useRefreshServices } from './queries';

interface Props {
  services: readonly ManagedService[];
  onClose: () => void;
}

/** Moves services that stand still to the hosts of another container. */
export default function TransferDrawer({ services, onClose }: Props) {
  const { t } = useTranslation('service');
  const refresh = useRefreshServices();
  const save = async ({ containerid }: { containerid: string }) => {
    const ids = services.map(({ id }) => id);
    const results = await call(serviceTransferContainer({ body: { ids, containerid } }));
    for (const { done, serviceName, message } of results) {
      if (done) notify('success', t('transferred', { name: serviceName }));
      else notify('error', message ?? '');
    }
    await refresh();
  };
  const only = services.length === 1 ? services[0]?.containerid : undefined;
  return (
    <FormDrawer<{ containerid: string }>
      asked="modify"
      title={t('transferTitle', { count: services.length })}
      open
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('transferHint')}</p>
      <p>{services.map(({ serviceName }) => serviceName).join(', ')}</p>
      <ContainerField {...(only ? { without: only } : {})} />
    </FormDrawer>
  );
}
