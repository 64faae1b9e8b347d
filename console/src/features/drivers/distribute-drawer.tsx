import { useTranslation } from 'react-i18next';
import { audited, call, type DriverRecord, driverDistribute } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { useRefresh } from './queries';
import { TargetFields, type TargetValues } from './target-fields';

interface Props {
  driver: DriverRecord;
  onClose: () => void;
}

/** Changes the containers of a driver. */
export default function DistributeDrawer({ driver, onClose }: Props) {
  const { t } = useTranslation('drivers');
  const refresh = useRefresh();
  const save = async ({ everywhere, containerIds = [] }: TargetValues) => {
    const body = { id: driver.id, everywhere, containerIds: everywhere ? [] : containerIds };
    await call(driverDistribute({ body, ...audited(driver) }));
    notify('success', t('distributed', { name: driver.name }));
    await refresh();
  };
  return (
    <FormDrawer<TargetValues>
      open
      asked="modify"
      title={t('distributeTitle', { name: driver.name })}
      initialValues={{ everywhere: driver.everywhere, containerIds: driver.containers.map(({ id }) => id) }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('distributeHint')}</p>
      <TargetFields />
    </FormDrawer>
  );
}
