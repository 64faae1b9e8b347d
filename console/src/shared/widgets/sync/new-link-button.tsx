import { Button, type ButtonProps } from 'antd';
import { useNavigate } from 'react-router';
import { useMay } from '@/shared/hooks/use-may';
import { paths } from '@/shared/pages/paths';

interface Props {
  label: string;
  icon?: ButtonProps['icon'];
}

/** The way to a new sync link, for those who may make one. */
export function NewLinkButton({ label, icon }: Props) {
  const navigate = useNavigate();
  if (!useMay('sync-link')('create')) return null;
  return (
    <Button type="primary" icon={icon} onClick={() => navigate(paths.newSyncLink())}>
      {label}
    </Button>
  );
}
