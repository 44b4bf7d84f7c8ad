' Sub Commented()
Namespace Shop
    Public MustInherit Class Cart
        Private Const Limit As Integer = 10

        Public Sub New(items As List(Of Item))
            Dim text = "Sub Written()"
        End Sub

        Protected Overridable Function Total(ByVal rate As Double) As Double
            Return 1
        End Function

        Public Property Name As String
    End Class

    Public Enum Kind
        Food
    End Enum

    Module Helpers
        PUBLIC FUNCTION Clip(x As Integer) As Integer
        End Function
    End Module
End Namespace
