import { Button, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptchaPicture } from '@/shared/api';

interface Props {
  code: string;
  picture: CaptchaPicture | undefined;
  isFailed: boolean;
  onChange: (code: string) => void;
  onRenew: () => void;
  onSubmit: () => void;
}

const LONGEST = 20;

/** Takes digits and dots only, whatever is typed or pasted. */
export function CodeField({ code, picture, isFailed, onChange, onRenew, onSubmit }: Props) {
  const { t } = useTranslation('delete-confirm');
  const id = useId();
  return (
    <div className="delete-code">
      <label htmlFor={id}>{t('code')}</label>
      <Input
        id={id}
        value={code}
        autoFocus
        autoComplete="off"
        inputMode="decimal"
        maxLength={LONGEST}
        onChange={({ target }) => onChange(target.value.replace(/[^\d.]/g, ''))}
        onPressEnter={onSubmit}
      />
      <Button className="delete-picture" onClick={onRenew} title={t('another')}>
        {isFailed && t('failed')}
        {!isFailed && picture && <img src={picture.img} alt={t('picture')} />}
      </Button>
    </div>
  );
}
