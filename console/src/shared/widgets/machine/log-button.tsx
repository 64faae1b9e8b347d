import { FileTextOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, terminalOpenLog } from '@/shared/api';
import { TerminalDialog } from '@/shared/widgets/terminal';

interface Props {
  service: { id: string; serviceName: string };
}

/** Opens the log of a service, read on the host where it runs. */
export function LogButton({ service }: Props) {
  const { t } = useTranslation('machine');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={<FileTextOutlined />}
        aria-label={t('logOf', { name: service.serviceName })}
        onClick={() => setOpen(true)}
      >
        {t('log')}
      </Button>
      {isOpen && (
        <TerminalDialog
          title={t('logOf', { name: service.serviceName })}
          open={() => call(terminalOpenLog({ body: { deviceId: service.id } }))}
          isLog
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
