unit Cart;

{ procedure Commented; }
interface

uses SysUtils;

type
  TKind = (kFood, kToy);
  PItem = ^TItem;
  TItem = packed record
    Name: string;
  end;

  TCart = class;

  ICart = interface
    procedure Clear;
  end;

  TCart = class(TInterfacedObject, ICart)
  private
    FItems: array of TItem;
  public
    constructor Create;
    procedure Clear;
    class function Open(const Name: string): TCart;
  end;

  TList<T> = class
  end;

function Total(C: TCart): Currency;

implementation

constructor TCart.Create;
begin
  WriteLn('procedure Written;');
end;

PROCEDURE TCart.Clear;
begin
end;

class function TCart.Open(const Name: string): TCart;
begin
end;

function Total(C: TCart): Currency;
  function Local: Integer;
  begin
  end;
begin
end;

end.
