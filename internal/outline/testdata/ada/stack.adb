--  A bounded stack.
with Ada.Text_IO;

package body Stacks is

   type Item_Array is array (Positive range <>) of Integer;

   subtype Small is Integer range 0 .. 9;

   task type Worker is
      entry Start (N : Natural);
   end Worker;

   protected body Counter is
      procedure Increment is
      begin
         Value := Value + 1;
      end Increment;
   end Counter;

   overriding function Is_Empty (S : Stack) return Boolean is
     (S.Top = 0);

   procedure Push (S : in out Stack; X : Integer) is
      --  procedure Commented
      Quote : constant Character := ''';
   begin
      Ada.Text_IO.Put_Line ("procedure Written");
   end Push;

   package Int_Io is new Ada.Text_IO.Integer_IO (Integer);
end Stacks;
